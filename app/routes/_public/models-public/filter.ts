import { CAPABILITIES } from "~/domain/catalogue/shared";
import { CAPABILITY_NOTES, type ShownModel } from "../catalogue-view/shared";

export type ModelFilter = { q: string; capability: string; region: string };
export type FilteredModel = { model: ShownModel; matches: boolean };

/** Reads the filter of the address; invalid values count as missing. */
export function readFilter(query: URLSearchParams): ModelFilter {
  const capability = query.get("capability") ?? "";
  return {
    q: (query.get("q") ?? "").trim().slice(0, 100),
    capability: CAPABILITIES.some((known) => known === capability) ? capability : "",
    region: (query.get("region") ?? "").slice(0, 64),
  };
}

/**
 * Returns the models of the chosen capability and region. Each is marked as a match if it contains the words, so that
 * the page's script can widen a search without a request. Models that fail on purpose are separate.
 */
export function filterModels(models: readonly ShownModel[], filter: ModelFilter) {
  const terms = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = models.filter(
    ({ capability, regions }) =>
      (filter.capability === "" || capability === filter.capability) &&
      (filter.region === "" || regions.includes(filter.region)),
  );
  const marked = chosen.map((model): FilteredModel => {
    const text = searchTextOf(model);
    return { model, matches: terms.every((word) => text.includes(word)) };
  });
  return { models: marked.filter(({ model }) => !model.isFault), faults: marked.filter(({ model }) => model.isFault) };
}

// The visible text of a model, so that the page's script finds the same models as the server.
const searchTextOf = ({ id, ownedBy, capability, regions, routes }: ShownModel): string =>
  [id, ownedBy, CAPABILITY_NOTES[capability].name, ...regions, ...routes.map(({ supplier }) => supplier)]
    .join(" ")
    .toLowerCase();
