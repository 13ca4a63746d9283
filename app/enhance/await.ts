import { jsonFrom } from "./dom";

const EVERY_MS = 2_000;

/** A page that waits for something (`data-await`: where to ask, `data-await-field`: for what) is read again once it is there. */
export function reloadWhenReady(): void {
  const waiting = document.querySelector<HTMLElement>("[data-await]");
  if (!waiting) return;
  const { await: address = "", awaitField: field = "" } = waiting.dataset;
  const timer = setInterval(async () => {
    if (document.hidden || !(await jsonFrom<Record<string, unknown>>(address))?.[field]) return;
    clearInterval(timer);
    location.reload();
  }, EVERY_MS);
}
