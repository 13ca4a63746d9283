import type { Credential, Model, PriceList, Route, Supplier } from "~/domain/catalogue/shared";
import { type AllowedRoutes, allowedRoutes } from "../allowed-routes";

let ids = 0;

export const aPrice = (inputPerMtok = 500_000_000n, outputPerMtok = 1_500_000_000n): PriceList => ({
  version: 1,
  inputPerMtok,
  outputPerMtok,
  cachedInputPerMtok: inputPerMtok,
  cacheWritePerMtok: inputPerMtok,
  perRequest: 0n,
  perSecond: 0n,
  perMchar: 0n,
});

export const aModel = (more: Partial<Model> = {}): Model => ({
  id: "m",
  ownedBy: "gw",
  capability: "chat",
  contextTokens: 128_000,
  maxOutputTokens: 4_000,
  ...more,
});

export const credentials = (...names: string[]): Credential[] => names.map((name) => ({ name, apiKey: `sk-${name}` }));

export function aSupplier(more: Partial<Supplier> = {}): Supplier {
  ids += 1;
  return {
    id: ids,
    name: `supplier-${ids}`,
    kind: "chat",
    baseUrl: "http://127.0.0.1/v1",
    region: "eu",
    timeoutMs: 1_000,
    idleTimeoutMs: 1_000,
    cooldown: true,
    streamUsage: true,
    draining: false,
    credentials: credentials("main"),
    ...more,
  };
}

export function aRoute(more: Partial<Route> = {}): Route {
  ids += 1;
  const model = more.model ?? aModel();
  return {
    routeId: ids,
    model,
    supplier: more.supplier ?? aSupplier(),
    upstreamModel: `up-${model.id}`,
    priority: 1,
    weight: 1,
    price: aPrice(),
    ...more,
  };
}

/** Routes as an unrestricted call may use them. */
export const allowed = (...routes: Route[]): AllowedRoutes =>
  allowedRoutes(routes, { models: [], regions: [], callRegion: null, reaches: () => true });
