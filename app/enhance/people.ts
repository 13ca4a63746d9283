import { listen } from "./dom";

const QUIET_MS = 150;
const MIN_LETTERS = 2;

type Found = { kind: string; label: string; detail: string };

let waiting: ReturnType<typeof setTimeout> | undefined;
let current: AbortController | undefined;

/** Offers the people whose name or address holds what is typed into `data-people` (where to ask), in the browser's own list. */
export function offerPeople(): void {
  listen("input", (_event, field) => {
    if (!(field instanceof HTMLInputElement) || field.dataset.people === undefined) return;
    clearTimeout(waiting);
    current?.abort();
    const text = field.value.trim();
    if (text.length < MIN_LETTERS) return;
    const asked = new AbortController();
    current = asked;
    waiting = setTimeout(() => void offer(field, text, asked.signal), QUIET_MS);
  });
}

async function offer(field: HTMLInputElement, text: string, signal: AbortSignal): Promise<void> {
  try {
    const address = `${field.dataset.people}?q=${encodeURIComponent(text)}`;
    const response = await fetch(address, { headers: { accept: "application/json" }, signal });
    if (!response.ok) return;
    const { results } = (await response.json()) as { results: Found[] };
    const people = results.filter(({ kind }) => kind === "person");
    field.list?.replaceChildren(...people.map(({ label, detail }) => new Option(label, detail)));
  } catch {
    // The field works without.
  }
}
