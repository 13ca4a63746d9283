import { catalogue } from "~/domain/catalogue/index.server";
import type { Model, Route } from "~/domain/catalogue/shared";
import { priceMaximum } from "~/domain/metering/index.server";
import { AUTO_MODEL } from "~/domain/routing/shared";

/** What a form offers to check: the models and regions of this installation, and whatever the key has besides them. */
export function modelsAndRegions(key?: { allowedModels: readonly string[]; allowedRegions: readonly string[] }) {
  const { models, routes } = catalogue();
  const regions = new Set([...routes.values()].flat().map(({ supplier }) => supplier.region));
  const known = [...models.values()]
    // The sandbox's faults are for tests: nobody looks for them, and a key that may call them shows them all the same.
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

/** What gw holds for a short request without an output ceiling of its own, in nano-USD, at the model's dearest route. */
function maxCallOf({ maxOutputTokens: outputTokens }: Model, routes: readonly Route[]): bigint {
  const most = routes.flatMap(({ price }) =>
    price === null ? [] : [priceMaximum(price, { inputTokens: SHORT_INPUT_TOKENS, outputTokens })],
  );
  return most.reduce((dearest, each) => (each > dearest ? each : dearest), 0n);
}

const SHORT_INPUT_TOKENS = 200;

const isFault = (id: string): boolean => id.startsWith("sandbox-fault-");
