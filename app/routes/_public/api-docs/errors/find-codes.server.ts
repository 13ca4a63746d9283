import { CATALOGUE_ENTRIES } from "~/errors/catalogue";
import { type CatalogueEntry, GROUPS } from "~/errors/catalogue-entry";
import { RETRY_LABELS } from "./retry-labels";

export type ListedCode = CatalogueEntry & {
  /** Codes without a match stay in the page, hidden, so that its script can widen a search without a request. */
  matches: boolean;
};
export type ListedGroup = { id: string; title: string; action: string; entries: ListedCode[] };

/** Returns the catalogue by group; each code is marked as a match if it contains all the words. */
export function findCodes(search: string): ListedGroup[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  return Object.entries(GROUPS).map(([id, { title, action }]) => ({
    id,
    title,
    action,
    entries: CATALOGUE_ENTRIES.filter((entry) => entry.group === id).map((entry) => {
      const text = searchTextOf(entry);
      return { ...entry, matches: terms.every((word) => text.includes(word)) };
    }),
  }));
}

// The visible text of a code, so that the page's script finds the same codes as the server.
function searchTextOf({ code, status, type, humanMessage, retry, reserved }: CatalogueEntry): string {
  return [code, humanMessage, status, type, RETRY_LABELS[retry].words, reserved ? `Reserved. ${reserved}` : ""]
    .join(" ")
    .toLowerCase();
}
