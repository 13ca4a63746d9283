import { all } from "./dom";

const EVERY_MS = 5_000;
/** Maximum interval; each answer without a change extends the interval. */
const SELDOM_MS = 40_000;
const MAX_FAILURES = 3;

/**
 * Reloads parts of a page (`data-live`: their name) while the page is visible, and replaces those that have changed. A
 * part stays unchanged while it has the focus, a text selection or a scrolled frame. New rows are highlighted
 * (`data-row`: the row's key). On a list (`data-newer`) no row is replaced; a link shows the number of newer rows.
 * After several failed requests in a row the reloading ends and the live marks are hidden.
 */
export function startLiveUpdates(): void {
  if (parts().length === 0 && newer() === undefined) return;
  showMarks(true);
  let [wait, failures] = [EVERY_MS, 0];
  const schedule = () => setTimeout(turn, wait);
  const turn = async () => {
    if (document.hidden) return schedule();
    const fresh = await read();
    failures = fresh === null ? failures + 1 : 0;
    if (failures === MAX_FAILURES) return showMarks(false);
    const hasChanged = fresh !== null && replace(fresh);
    wait = hasChanged ? EVERY_MS : Math.min(SELDOM_MS, wait * 1.5);
    return schedule();
  };
  schedule();
  // A user who returns to the page soon sees its current state.
  document.addEventListener("visibilitychange", () => {
    wait = EVERY_MS;
  });
}

const parts = (root: ParentNode = document) => all("[data-live]", root);

/** Fetches the page. Returns null if the request fails or is redirected, for example after signing out. */
async function read(): Promise<Document | null> {
  const response = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (!response?.ok || response.redirected) return null;
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

/** Returns whether the page has changed, apart from relative times. */
function replace(fresh: Document): boolean {
  let hasChanged = announceNewer(fresh);
  for (const part of parts()) {
    const next = parts(fresh).find(({ dataset }) => dataset.live === part.dataset.live);
    if (next === undefined || isInUse(part) || next.innerHTML === part.innerHTML) continue;
    hasChanged ||= textOf(next) !== textOf(part);
    const known = new Set(rowsOf(part).map(({ dataset }) => dataset.row));
    part.replaceChildren(...next.childNodes);
    if (known.size > 0) for (const row of rowsOf(part)) row.classList.toggle("row-new", !known.has(row.dataset.row));
  }
  showMarks(true);
  return hasChanged;
}

const newer = () => all<HTMLAnchorElement>("a[data-newer]")[0];

/**
 * Shows the number of rows of the fetched page that this page lacks, in the text for one row (`data-newer`) or for
 * seven (`data-newer-seven`). Returns whether the number has grown.
 */
function announceNewer(fresh: Document): boolean {
  const link = newer();
  if (link === undefined) return false;
  const known = new Set(all("[data-row]").map(({ dataset }) => dataset.row));
  const rows = all("[data-row]", fresh);
  const count = rows.filter(({ dataset }) => !known.has(dataset.row)).length;
  // If all rows of the page are new, there may be more of them.
  const text = count === rows.length && count > 1 ? `${count}+` : String(count);
  const label = (count === 1 ? link.dataset.newer : link.dataset.newerSeven?.replace("7", text)) ?? "";
  const isMore = count > 0 && label !== link.textContent;
  if (isMore) link.textContent = label;
  link.classList.toggle("invisible", count === 0);
  return isMore;
}

const rowsOf = (part: HTMLElement) => all("[data-row]", part);

/** The text of a part without its times, which change with every request. */
function textOf(part: HTMLElement): string {
  const copy = part.cloneNode(true) as HTMLElement;
  for (const time of all("time", copy)) time.remove();
  return copy.textContent ?? "";
}

function isInUse(part: HTMLElement): boolean {
  const marked = getSelection();
  const isMarked = marked !== null && !marked.isCollapsed && marked.containsNode(part, true);
  // A replaced frame would lose its scroll position.
  const isScrolled = all(".table-frame, .overflow-y-auto", part).some(
    (frame) => frame.scrollLeft + frame.scrollTop > 0,
  );
  return isMarked || isScrolled || (part.contains(document.activeElement) && document.activeElement !== document.body);
}

function showMarks(isLive: boolean): void {
  for (const mark of all("[data-live-mark]")) mark.hidden = !isLive;
}
