import type { Catalogue, Model, Route } from "~/domain/catalogue/shared";
import { isRegionAllowed } from "./policy";

/** Restrictions of the key of an example. Empty lists: none. */
export type KeyToTry = { allowedModels: readonly string[]; allowedRegions: readonly string[] };

/** The preferred model, and whether native agents call it; other clients use chat completions or messages. */
export type Example = { preferred: string; native?: boolean };

type Candidate = { model: Model; isReady: boolean; price: bigint };

/**
 * Returns a model for an example that can be called immediately: allowed for the key, available at the example's
 * endpoint, with a price, and with an available supplier. Prefers the preferred model, then models that the autorouter
 * may choose, then the cheapest. Null: none.
 */
export function pickModelToTry(
  { models, routes }: Catalogue,
  { key, example, isReady }: { key: KeyToTry; example: Example; isReady: (route: Route) => boolean },
): string | null {
  const { preferred, native = false } = example;
  const candidates = [...models.values()].flatMap((model): Candidate[] => {
    if (model.capability !== "chat") return [];
    if (key.allowedModels.length > 0 && !key.allowedModels.includes(model.id)) return [];
    const open = (routes.get(model.id) ?? []).filter((route) => isOpen(route, key, native));
    if (open.length === 0) return [];
    const prices = open.map(({ price }) => price!.inputPerMtok + price!.outputPerMtok);
    return [{ model, isReady: open.some(isReady), price: prices.toSorted((a, b) => compare([a], [b]))[0]! }];
  });
  const rank = ({ model, isReady, price }: Candidate): (number | bigint)[] => [
    isReady ? 0 : 1,
    model.id === preferred ? 0 : 1,
    model.auto === false ? 1 : 0,
    price,
  ];
  return candidates.toSorted((a, b) => compare(rank(a), rank(b)))[0]?.model.id ?? null;
}

function isOpen({ supplier, price, upstreamModel }: Route, { allowedRegions }: KeyToTry, native: boolean): boolean {
  const isSandbox = supplier.kind === "sandbox";
  if (isSandbox ? upstreamModel.startsWith("sandbox-fault-") : (supplier.kind === "native_agent") !== native)
    return false;
  return price !== null && !supplier.draining && isRegionAllowed(supplier.region, allowedRegions, null);
}

function compare(one: readonly (number | bigint)[], other: readonly (number | bigint)[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : one[at]! < other[at]! ? -1 : 1;
}
