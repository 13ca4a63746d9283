import { jsonFrom } from "./dom";

const EVERY_MS = 2_000;

/**
 * A page that waits for something (`data-await`: where to ask, `data-await-field`: for what) is read again once it is there, and is not
 * what the page knows already (`data-await-known`).
 */
export function reloadWhenReady(): void {
  const waiting = document.querySelector<HTMLElement>("[data-await]");
  if (!waiting) return;
  const { await: address = "", awaitField: field = "", awaitKnown: known } = waiting.dataset;
  const timer = setInterval(async () => {
    const found = document.hidden ? null : (await jsonFrom<Record<string, unknown>>(address))?.[field];
    if (!found || found === known) return;
    clearInterval(timer);
    location.reload();
  }, EVERY_MS);
}
