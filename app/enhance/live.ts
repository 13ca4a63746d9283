import { all } from "./dom";

const EVERY_MS = 5_000;
/** While nothing changes it is asked less and less often. */
const SELDOM_MS = 40_000;
const MAX_FAILURES = 3;

/**
 * Parts of a page (`data-live`: their name) are read again while the page is in sight, and replaced where they have changed. A part
 * that somebody is at with the keyboard, has marked text in or has scrolled stays as it is. Rows that were not there before are marked
 * (`data-row`: which row it is). Where a list is read (`data-newer`), nothing is replaced: it tells how many rows there are that the
 * list does not have yet. It ends when the page cannot be read any more, and then says so by taking its marks away.
 */
export function keepLive(): void {
  if (parts().length === 0 && newer() === undefined) return;
  showMarks(true);
  let [wait, failures] = [EVERY_MS, 0];
  const again = () => setTimeout(turn, wait);
  const turn = async () => {
    if (document.hidden) return again();
    const fresh = await read();
    failures = fresh === null ? failures + 1 : 0;
    if (failures === MAX_FAILURES) return showMarks(false);
    const hasChanged = fresh !== null && replace(fresh);
    wait = hasChanged ? EVERY_MS : Math.min(SELDOM_MS, wait * 1.5);
    return again();
  };
  again();
  // Who comes back to the page sees how things stand.
  document.addEventListener("visibilitychange", () => {
    wait = EVERY_MS;
  });
}

const parts = (within: ParentNode = document) => all("[data-live]", within);

/** The page as it is now; null where it cannot be read, or where somebody else's would be (signed out, moved). */
async function read(): Promise<Document | null> {
  const response = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (!response?.ok || response.redirected) return null;
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

/** Whether anything but the age of things has changed. */
function replace(fresh: Document): boolean {
  let hasChanged = tellNewer(fresh);
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
 * Says how many rows of the page as it is now this one does not have, in the words for one (`data-newer`) or for seven
 * (`data-newer-seven`) of them. Whether there are more than were told before.
 */
function tellNewer(fresh: Document): boolean {
  const link = newer();
  if (link === undefined) return false;
  const known = new Set(all("[data-row]").map(({ dataset }) => dataset.row));
  const rows = all("[data-row]", fresh);
  const count = rows.filter(({ dataset }) => !known.has(dataset.row)).length;
  // A page of nothing but new ones is perhaps not all of them.
  const text = count === rows.length && count > 1 ? `${count}+` : String(count);
  const words = (count === 1 ? link.dataset.newer : link.dataset.newerSeven?.replace("7", text)) ?? "";
  const isMore = count > 0 && words !== link.textContent;
  if (isMore) link.textContent = words;
  link.classList.toggle("invisible", count === 0);
  return isMore;
}

const rowsOf = (part: HTMLElement) => all("[data-row]", part);

/** The text of a part without its moments, which grow older by themselves. */
function textOf(part: HTMLElement): string {
  const copy = part.cloneNode(true) as HTMLElement;
  for (const time of all("time", copy)) time.remove();
  return copy.textContent ?? "";
}

function isInUse(part: HTMLElement): boolean {
  const marked = getSelection();
  const isMarked = marked !== null && !marked.isCollapsed && marked.containsNode(part, true);
  // What somebody has scrolled would jump back to its beginning.
  const isScrolled = all(".table-frame, .overflow-y-auto", part).some(
    (frame) => frame.scrollLeft + frame.scrollTop > 0,
  );
  return isMarked || isScrolled || (part.contains(document.activeElement) && document.activeElement !== document.body);
}

function showMarks(isLive: boolean): void {
  for (const mark of all("[data-live-mark]")) mark.hidden = !isLive;
}
