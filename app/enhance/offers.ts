import { listen } from "./dom";
import { searchAsTyped } from "./search";

type Found = { kind: string; label: string; detail: string };

/** Offers what the server finds for what is typed into `data-offer` (where to ask), in the browser's own list. People go by address. */
export function offerFound(): void {
  listen("input", (_event, field) => {
    if (!(field instanceof HTMLInputElement) || field.dataset.offer === undefined) return;
    searchAsTyped<Found>(field.dataset.offer, field.value, (found) => {
      field.list?.replaceChildren(
        ...found.map(({ kind, label, detail }) =>
          kind === "person" ? new Option(label, detail) : new Option(detail, label),
        ),
      );
    });
  });
}
