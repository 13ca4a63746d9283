import { CAPABILITIES } from "~/domain/catalogue/shared";
import { CAPABILITY_NOTES, type ShownModel } from "../catalogue-view/shared";

export type ModelFilter = { q: string; capability: string; region: string };
export type FilteredModel = { model: ShownModel; matches: boolean };

/** What the address asks for; what cannot be asked for counts as nothing. */
export function readFilter(query: URLSearchParams): ModelFilter {
  const capability = query.get("capability") ?? "";
  return {
    q: (query.get("q") ?? "").trim().slice(0, 100),
    capability: CAPABILITIES.some((known) => known === capability) ? capability : "",
    region: (query.get("region") ?? "").slice(0, 64),
  };
}

/**
 * The models of the chosen capability and region, each marked with whether it has the words: the page's script widens a
 * search without asking again. Models that fail on purpose come apart.
 */
export function filterModels(models: readonly ShownModel[], filter: ModelFilter) {
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = models.filter(
    ({ capability, regions }) =>
      (filter.capability === "" || capability === filter.capability) &&
      (filter.region === "" || regions.includes(filter.region)),
  );
  const marked = chosen.map((model): FilteredModel => {
    const text = searchTextOf(model);
    return { model, matches: words.every((word) => text.includes(word)) };
  });
  return { models: marked.filter(({ model }) => !model.isFault), faults: marked.filter(({ model }) => model.isFault) };
}

// The words that the page shows for a model, so that its script finds the same ones.
const searchTextOf = ({ id, ownedBy, capability, regions, routes }: ShownModel): string =>
  [id, ownedBy, CAPABILITY_NOTES[capability].name, ...regions, ...routes.map(({ supplier }) => supplier)]
    .join(" ")
    .toLowerCase();
