import { catalogue } from "~/domain/catalogue/index.server";
import type { Model, PriceList, Route } from "~/domain/catalogue/shared";
import { usdNumber } from "~/http/body/json/money-json";
import { PRICE_UNITS, type ShownModel, type ShownPrice, type ShownRoute } from "./shared";

/** Returns the models that can be called now, by id: each has at least one route with a price. */
export function shownModels(): ShownModel[] {
  const { models, routes } = catalogue();
  return [...models.values()]
    .flatMap((model) => {
      const shown = pricedRoutes(routes.get(model.id)).map(shownRoute);
      return shown.length === 0 ? [] : [shownModel(model, shown)];
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Returns the price of the first route; null if the model is not served. */
export function usualPrice(modelId: string): PriceList | null {
  return pricedRoutes(catalogue().routes.get(modelId))[0]?.price ?? null;
}

const pricedRoutes = (routes: readonly Route[] = []) => routes.filter(({ price }) => price !== null);

function shownModel(
  { id, ownedBy, capability, contextTokens, maxOutputTokens, tools, images, lifecycle, retiresAt }: Model,
  routes: ShownRoute[],
): ShownModel {
  return {
    id,
    ownedBy,
    capability,
    contextTokens: contextTokens > 0 ? contextTokens : null,
    maxOutputTokens: capability === "chat" && maxOutputTokens > 0 ? maxOutputTokens : null,
    tools: tools ?? null,
    images: images ?? null,
    lifecycle: lifecycle ?? null,
    retiresAt: retiresAt ?? null,
    zeroDataRetention: shareOf(routes.map(({ keepsNothing }) => keepsNothing)),
    isFault: id.startsWith("sandbox-fault-"),
    regions: [...new Set(routes.map(({ region }) => region))].toSorted(),
    routes,
  };
}

const shareOf = (flags: readonly boolean[]) =>
  flags.every(Boolean) ? ("all" as const) : flags.some(Boolean) ? ("some" as const) : ("none" as const);

const shownRoute = ({ supplier, price }: Route): ShownRoute => ({
  supplier: supplier.name,
  region: supplier.region,
  isDraining: supplier.draining,
  keepsNothing: supplier.zeroDataRetention === true,
  price: shownPrice(price as PriceList),
});

/** Returns a price in displayed units, for every part. */
export function shownPrice(price: PriceList): ShownPrice {
  const entries = PRICE_UNITS.map(({ field, times }) => [field, usd(price[field] * BigInt(times))] as const);
  return Object.fromEntries(entries) as ShownPrice;
}

/** Formats an amount with at least two decimals, such as `0.50` or `0.0001`. */
export function usd(nanoUsd: bigint): string {
  const [whole = "0", places = ""] = usdNumber(nanoUsd).split(".");
  return `${whole}.${places.padEnd(2, "0")}`;
}
