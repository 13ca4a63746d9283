import { jsonFrom } from "./dom";

const EVERY_MS = 2_000;

/**
 * Polls a URL (`data-await`) and reloads the page when a field of the answer (`data-await-field`) has a value that the
 * page does not show yet (`data-await-known`).
 */
export function reloadWhenReady(): void {
  const waiting = document.querySelector<HTMLElement>("[data-await]");
  if (!waiting) return;
  const { await: address = "", awaitField: field = "", awaitKnown: known } = waiting.dataset;
  const timer = setInterval(async () => {
    const value = document.hidden ? null : (await jsonFrom<Record<string, unknown>>(address))?.[field];
    if (!value || value === known) return;
    clearInterval(timer);
    location.reload();
  }, EVERY_MS);
}
