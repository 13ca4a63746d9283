import { CATALOGUE_ENTRIES } from "~/errors/catalogue";
import { type CatalogueEntry, GROUPS } from "~/errors/catalogue-entry";
import { RETRY_LABELS } from "./retry-labels";

export type ListedCode = CatalogueEntry & {
  /** Codes that do not match stay in the page, hidden: the page's script widens a search without asking again. */
  matches: boolean;
};
export type ListedGroup = { id: string; title: string; action: string; entries: ListedCode[] };

/** The catalogue by group, each code marked with whether it contains every one of the words. */
export function findCodes(search: string): ListedGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return Object.entries(GROUPS).map(([id, { title, action }]) => ({
    id,
    title,
    action,
    entries: CATALOGUE_ENTRIES.filter((entry) => entry.group === id).map((entry) => {
      const text = searchTextOf(entry);
      return { ...entry, matches: words.every((word) => text.includes(word)) };
    }),
  }));
}

// The words that the page shows for a code, so that its script finds the same ones.
function searchTextOf({ code, status, type, humanMessage, retry, reserved }: CatalogueEntry): string {
  return [code, humanMessage, status, type, RETRY_LABELS[retry].words, reserved ? `Reserved. ${reserved}` : ""]
    .join(" ")
    .toLowerCase();
}
