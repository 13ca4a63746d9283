import type { Catalogue, Model, Route } from "~/domain/catalogue/shared";
import { isRegionAllowed } from "./policy";

/** What an example needs to know of the key that it is for. Empty lists: all. */
export type KeyToTry = { allowedModels: readonly string[]; allowedRegions: readonly string[] };

/** The model to take where it answers, and whether native agents ask for it; others ask by chat completions or messages. */
export type Example = { preferred: string; native?: boolean };

type Candidate = { model: Model; isReady: boolean; price: bigint };

/**
 * The model that an example names, so that it answers when it is pasted: one that the key may use, that the example's
 * endpoint reaches, with a price, and whose supplier is not in trouble. Of these the preferred one, then ordinary ones
 * before those that are never chosen on their own, then the cheapest. Null where there is none.
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
