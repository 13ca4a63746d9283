import { listen } from "./dom";
import { searchAsTyped } from "./search";

type Found = { kind: string; label: string; detail: string };

/** Offers the people whose name or address holds what is typed into `data-people` (where to ask), in the browser's own list. */
export function offerPeople(): void {
  listen("input", (_event, field) => {
    if (!(field instanceof HTMLInputElement) || field.dataset.people === undefined) return;
    searchAsTyped<Found>(field.dataset.people, field.value, (found) => {
      const people = found.filter(({ kind }) => kind === "person");
      field.list?.replaceChildren(...people.map(({ label, detail }) => new Option(label, detail)));
    });
  });
}
