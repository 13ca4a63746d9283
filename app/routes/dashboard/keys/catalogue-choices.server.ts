import { catalogue } from "~/domain/catalogue/index.server";
import type { Model, Route } from "~/domain/catalogue/shared";
import { priceMaximum } from "~/domain/pricing/index.server";
import { AUTO_MODEL } from "~/domain/routing/shared";

/**
 * Returns the options of the form: models and regions of this installation, and further ones that the key already has.
 */
export function modelsAndRegions(key?: { allowedModels: readonly string[]; allowedRegions: readonly string[] }) {
  const { models, routes } = catalogue();
  const regions = new Set([...routes.values()].flat().map(({ supplier }) => supplier.region));
  const known = [...models.values()]
    // The sandbox's fault models are only for tests. A key that may call them still lists them.
    .filter(({ id }) => !isFault(id))
    .toSorted((a, b) => a.id.localeCompare(b.id))
    .map((model) => ({
      id: model.id,
      capability: model.capability as string,
      maxCallNanoUsd: maxCallOf(model, routes.get(model.id) ?? []),
    }));
  const names = new Set([AUTO_MODEL, ...known.map(({ id }) => id)]);
  const others = (key?.allowedModels ?? [])
    .filter((id) => !names.has(id))
    .map((id) => ({ id, capability: "", maxCallNanoUsd: 0n }));
  return {
    models: [{ id: AUTO_MODEL, capability: "auto", maxCallNanoUsd: 0n }, ...known, ...others],
    regions: [...new Set([...regions, ...(key?.allowedRegions ?? [])])].toSorted(),
  };
}

/**
 * Returns the amount in nano-USD that gw holds for a short request without an output limit, on the model's most
 * expensive route.
 */
function maxCallOf({ maxOutputTokens: outputTokens }: Model, routes: readonly Route[]): bigint {
  const prices = routes.flatMap(({ price }) =>
    price === null ? [] : [priceMaximum(price, { inputTokens: SHORT_INPUT_TOKENS, outputTokens })],
  );
  return prices.reduce((dearest, each) => (each > dearest ? each : dearest), 0n);
}

const SHORT_INPUT_TOKENS = 200;

const isFault = (id: string): boolean => id.startsWith("sandbox-fault-");
