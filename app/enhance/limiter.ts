import { all, jsonFrom } from "./dom";

const EVERY_MS = 2_000;

type State = { used: number; free: number | null; next_free_at: string | null; at: string; seconds: number[] };
type Words = { free: Record<string, string>; next: string };

/** Reloads the state of a rate limiter (`data-limiter`: its URL) every two seconds while the page is visible. */
export function watchLimiter(): void {
  setInterval(async () => {
    const panel = document.querySelector<HTMLElement>("[data-limiter]");
    if (!panel || document.hidden) return;
    const state = await jsonFrom<State>(panel.dataset.limiter ?? "");
    for (const live of all("[data-limiter-live]", panel)) live.hidden = state === null;
    if (state !== null) show(panel, state);
  }, EVERY_MS);
}

function show(panel: HTMLElement, { used, free, next_free_at, at, seconds }: State): void {
  const language = document.documentElement.lang;
  const labels = JSON.parse(panel.dataset.words ?? "{}") as Words;
  const wait = next_free_at === null ? 0 : Math.ceil((Date.parse(next_free_at) - Date.parse(at)) / 1_000);
  const form = labels.free[new Intl.PluralRules(language).select(free ?? 0)] ?? labels.free.other ?? "#";
  write(panel, "[data-limiter-used]", new Intl.NumberFormat(language).format(used));
  write(
    panel,
    "[data-limiter-free]",
    wait > 0 ? labels.next.replace("#", String(wait)) : form.replace("#", String(free ?? 0)),
  );
  drawBars(panel, seconds);
}

function write(panel: HTMLElement, selector: string, text: string): void {
  for (const element of all(selector, panel)) element.textContent = text;
}

/** Same drawing as `RateBars`. */
function drawBars(panel: HTMLElement, counts: readonly number[]): void {
  const maximum = Math.max(1, ...counts);
  for (const [index, bar] of all<SVGRectElement>("svg rect", panel).entries()) {
    const count = counts[index] ?? 0;
    const height = count === 0 ? 1 : Math.max(3, (count / maximum) * 44);
    bar.setAttribute("y", String(46 - height));
    bar.setAttribute("height", String(height));
    bar.setAttribute("fill", count === 0 ? "var(--line)" : "var(--s1)");
  }
}
