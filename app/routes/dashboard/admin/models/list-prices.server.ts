import { db } from "~/connection/db.server";
import { priceSnapshot, readAdminCatalogue, readAdminPrices, suggestPrice } from "~/domain/catalogue/index.server";
import type { AdminRoute, PriceList, PriceQuery } from "~/domain/catalogue/shared";
import { priceUsage } from "~/domain/pricing/index.server";
import { readRouteTraffic } from "~/domain/usage/index.server";
import type { RouteTraffic } from "~/domain/usage/shared";

const DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * One part of a price and its list price, in nano-USD. `share`: the relative difference; null if the list price is
 * zero.
 */
export type Beside = { ownNanoUsd: bigint; listNanoUsd: bigint; share: number | null };

/**
 * A price beside the provider's list price. `list` null: no list price. `traffic`: amount charged for the tokens of the
 * last 30 days, and their cost at list prices; `atListNanoUsd` null: unknown. `isLeast`: the list has higher prices for
 * longer inputs or for tools.
 */
export type ListPriceLine = Pick<AdminRoute, "id" | "modelId" | "supplier" | "region" | "upstreamModel"> & {
  own: { inputNanoUsd: bigint; outputNanoUsd: bigint } | null;
  list: { input: Beside; output: Beside; isLeast: boolean } | null;
  traffic: { requests: number; chargedNanoUsd: bigint; atListNanoUsd: bigint | null; share: number | null } | null;
};

/** Returns a page of prices, with the current list prices and the amounts charged for the last 30 days' traffic. */
export async function readListPrices(query: PriceQuery) {
  const now = new Date();
  const [{ routes, next }, { suppliers }] = await Promise.all([readAdminPrices(db(), query), readAdminCatalogue(db())]);
  const pairs = routes.map(({ modelId: model, supplier }) => ({ model, supplier }));
  const traffic =
    pairs.length === 0 ? [] : await readRouteTraffic(db(), new Date(now.getTime() - DAYS * DAY_MS), pairs);
  const baseUrls = new Map(suppliers.map(({ name, baseUrl }) => [name, baseUrl]));
  const lines = routes.map((route): ListPriceLine => {
    const { id, modelId, supplier, region, upstreamModel, price } = route;
    const listed = suggestPrice({ name: supplier, baseUrl: baseUrls.get(supplier) ?? "" }, upstreamModel, now);
    // Usage does not distinguish two upstream names of a supplier for one model.
    const isAlone = routes.filter((each) => each.modelId === modelId && each.supplier === supplier).length === 1;
    const used = traffic.find((each) => each.model === modelId && each.supplier === supplier);
    const own = price && { inputNanoUsd: price.inputPerMtok, outputNanoUsd: price.outputPerMtok };
    const names = { id, modelId, supplier, region, upstreamModel };
    if (listed === null) return { ...names, own, list: null, traffic: used && isAlone ? trafficOf(used, null) : null };
    const list = tokenPrices(listed.price);
    return {
      ...names,
      own,
      list: {
        input: beside(price?.inputPerMtok ?? 0n, list.inputPerMtok),
        output: beside(price?.outputPerMtok ?? 0n, list.outputPerMtok),
        isLeast: listed.price.long_context !== undefined || listed.price.per_tool_use !== undefined,
      },
      traffic: used && isAlone ? trafficOf(used, list) : null,
    };
  });
  return { lines, next, snapshot: priceSnapshot() };
}

type Listed = NonNullable<ReturnType<typeof suggestPrice>>["price"];

/**
 * List prices of tokens and requests, without those that depend on the length of a request, which hourly sums do not
 * contain.
 */
export const tokenPrices = ({ input_per_mtok: input = 0n, ...price }: Listed): PriceList => ({
  version: 0,
  inputPerMtok: input,
  outputPerMtok: price.output_per_mtok ?? 0n,
  cachedInputPerMtok: price.cached_input_per_mtok ?? input,
  cacheWritePerMtok: price.cache_write_per_mtok ?? input,
  perRequest: price.per_request ?? 0n,
  perSecond: 0n,
  perMchar: 0n,
});

function trafficOf({ requests, chargedNanoUsd, ...tokens }: RouteTraffic, list: PriceList | null) {
  const atListNanoUsd = list === null ? null : priceUsage(list, { ...tokens, requests });
  const share = atListNanoUsd === null ? null : beside(chargedNanoUsd, atListNanoUsd).share;
  return { requests, chargedNanoUsd, atListNanoUsd, share };
}

const beside = (ownNanoUsd: bigint, listNanoUsd: bigint): Beside => ({
  ownNanoUsd,
  listNanoUsd,
  share: listNanoUsd === 0n ? null : Number(((ownNanoUsd - listNanoUsd) * 1_000_000n) / listNanoUsd) / 1_000_000,
});
