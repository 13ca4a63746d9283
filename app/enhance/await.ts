const EVERY_MS = 2_000;

/** A page that waits for something (`data-await`: where to ask, `data-await-field`: for what) is read again once it is there. */
export function reloadWhenReady(): void {
  const waiting = document.querySelector<HTMLElement>("[data-await]");
  if (!waiting) return;
  const { await: address = "", awaitField: field = "" } = waiting.dataset;
  const timer = setInterval(async () => {
    if (document.hidden || !(await isThere(address, field))) return;
    clearInterval(timer);
    location.reload();
  }, EVERY_MS);
}

async function isThere(address: string, field: string): Promise<boolean> {
  const response = await fetch(address, { headers: { accept: "application/json" } }).catch(() => null);
  const state = response?.ok ? ((await response.json()) as Record<string, unknown>) : null;
  return Boolean(state?.[field]);
}
