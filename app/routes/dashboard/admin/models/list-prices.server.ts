import { db } from "~/db.server";
import { priceSnapshot, readAdminCatalogue, readAdminPrices, suggestPrice } from "~/domain/catalogue/index.server";
import type { AdminRoute, PriceList, PriceQuery } from "~/domain/catalogue/shared";
import { priceUsage, readRouteTraffic } from "~/domain/metering/index.server";
import type { RouteTraffic } from "~/domain/metering/shared";

const DAYS = 30;
const DAY_MS = 86_400_000;

/** What one part of a price is here and on the list, in nano-USD; `share`: by how much more it is here, null beside a list price of nothing. */
export type Beside = { ownNanoUsd: bigint; listNanoUsd: bigint; share: number | null };

/**
 * A price beside the provider's list price. `list` null: the list has none. `traffic`: what the last 30 days' tokens were charged here, and
 * what the same cost at the list prices; `atListNanoUsd` null: nobody can say. `isLeast`: longer inputs or tools cost more on the list.
 */
export type ListPriceLine = Pick<AdminRoute, "id" | "modelId" | "supplier" | "region" | "upstreamModel"> & {
  own: { inputNanoUsd: bigint; outputNanoUsd: bigint } | null;
  list: { input: Beside; output: Beside; isLeast: boolean } | null;
  traffic: { requests: number; chargedNanoUsd: bigint; atListNanoUsd: bigint | null; share: number | null } | null;
};

/** A page of the prices beside the list prices in use, and beside what own traffic was charged in the last 30 days. */
export async function readListPrices(query: PriceQuery) {
  const now = new Date();
  const [{ routes, next }, { suppliers }] = await Promise.all([readAdminPrices(db(), query), readAdminCatalogue(db())]);
  const asked = routes.map(({ modelId: model, supplier }) => ({ model, supplier }));
  const traffic =
    asked.length === 0 ? [] : await readRouteTraffic(db(), new Date(now.getTime() - DAYS * DAY_MS), asked);
  const baseUrls = new Map(suppliers.map(({ name, baseUrl }) => [name, baseUrl]));
  const lines = routes.map((route): ListPriceLine => {
    const { id, modelId, supplier, region, upstreamModel, price } = route;
    const listed = suggestPrice({ name: supplier, baseUrl: baseUrls.get(supplier) ?? "" }, upstreamModel, now);
    // Usage does not tell apart two names of a supplier for one model.
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

/** What tokens and requests cost on the list, without what depends on the length of a request: sums over hours do not have it. */
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
  ...{ ownNanoUsd, listNanoUsd },
  share: listNanoUsd === 0n ? null : Number(((ownNanoUsd - listNanoUsd) * 1_000_000n) / listNanoUsd) / 1_000_000,
});
