import { listen } from "./dom";
import { searchAsTyped } from "./search";

type Found = { kind: string; label: string; detail: string };

/**
 * Offers the server's matches for a field with `data-offer` (the search URL) in the browser's native list. People are
 * offered by email address.
 */
export function offerMatches(): void {
  listen("input", (_event, field) => {
    if (!(field instanceof HTMLInputElement) || field.dataset.offer === undefined) return;
    searchAsTyped<Found>(field.dataset.offer, field.value, (results) => {
      field.list?.replaceChildren(
        ...results.map(({ kind, label, detail }) =>
          kind === "person" ? new Option(label, detail) : new Option(detail, label),
        ),
      );
    });
  });
}
