import { all, listen } from "./dom";

const STORED_AS = "gw_columns";

type HiddenColumns = Record<string, string[]>;

/** Which columns of a table are in sight: kept in this browser, applied as rules so that they outlive rows that come later. */
export function chooseColumns(): void {
  const rules = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, rules];
  const hidden = stored();
  rules.replaceSync(rulesThatHide(hidden));
  listen("change", (_event, target) => {
    const table = target.closest<HTMLElement>("[data-columns-of]")?.dataset.columnsOf;
    if (!table || !(target instanceof HTMLInputElement)) return;
    const others = (hidden[table] ?? []).filter((column) => column !== target.value);
    hidden[table] = target.checked ? others : [...others, target.value];
    store(hidden);
    rules.replaceSync(rulesThatHide(hidden));
  });
  document.addEventListener("toggle", ({ target }) => target instanceof Element && tickShown(target, hidden), true);
}

/** One rule of CSS that hides all these columns. */
export function rulesThatHide(hidden: HiddenColumns): string {
  const selectors = Object.entries(hidden).flatMap(([table, columns]) =>
    columns.map((column) => `[data-table="${CSS.escape(table)}"] [data-col="${CSS.escape(column)}"]`),
  );
  return selectors.length === 0 ? "" : `${selectors.join(",")} { display: none }`;
}

function tickShown(menu: Element, hidden: HiddenColumns): void {
  for (const list of all("[data-columns-of]", menu))
    for (const box of all<HTMLInputElement>("input", list))
      box.checked = !hidden[list.dataset.columnsOf ?? ""]?.includes(box.value);
}

function stored(): HiddenColumns {
  try {
    return JSON.parse(localStorage.getItem(STORED_AS) ?? "{}") as HiddenColumns;
  } catch {
    return {};
  }
}

function store(hidden: HiddenColumns): void {
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(hidden));
  } catch {
    // A browser that keeps nothing still hides the column on this page.
  }
}
