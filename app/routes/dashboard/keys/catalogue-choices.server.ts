import { catalogue } from "~/domain/catalogue/index.server";
import { AUTO_MODEL } from "~/domain/routing/shared";

/** What a form offers to check: the models and regions of this installation, and whatever the key has besides them. */
export function modelsAndRegions(key?: { allowedModels: readonly string[]; allowedRegions: readonly string[] }) {
  const { models, routes } = catalogue();
  const regions = new Set([...routes.values()].flat().map(({ supplier }) => supplier.region));
  const known = [...models.values()]
    // The sandbox's faults are for tests; they stand behind what people look for.
    .toSorted((a, b) => Number(isFault(a.id)) - Number(isFault(b.id)) || a.id.localeCompare(b.id))
    .map(({ id, capability }) => ({ id, capability: capability as string }));
  const names = new Set([AUTO_MODEL, ...known.map(({ id }) => id)]);
  const others = (key?.allowedModels ?? []).filter((id) => !names.has(id)).map((id) => ({ id, capability: "" }));
  return {
    models: [{ id: AUTO_MODEL, capability: "auto" }, ...known, ...others],
    regions: [...new Set([...regions, ...(key?.allowedRegions ?? [])])].toSorted(),
  };
}

const isFault = (id: string): boolean => id.startsWith("sandbox-fault-");
