import { all, listen } from "./dom";

const STORED_AS = "gw_columns";

type HiddenColumns = Record<string, string[]>;

/**
 * Applies the choice of visible table columns, which this browser stores. CSS rules hide the columns, so they also
 * apply to rows that arrive later.
 */
export function chooseColumns(): void {
  const rules = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, rules];
  const chosen = stored();
  const apply = () => rules.replaceSync(rulesThatHide(hiddenOf(chosen, columnsOff())));
  apply();
  listen("change", (_event, target) => {
    const table = target.closest<HTMLElement>("[data-columns-of]")?.dataset.columnsOf;
    if (!table || !(target instanceof HTMLInputElement)) return;
    const others = (chosen[table] ?? []).filter((column) => column.replace("+", "") !== target.value);
    const isOff = columnsOff()[table]?.includes(target.value) ?? false;
    if (target.checked === isOff) others.push(isOff ? `+${target.value}` : target.value);
    chosen[table] = others;
    store(chosen);
    apply();
  });
  document.addEventListener(
    "toggle",
    ({ target }) => target instanceof Element && tickShown(target, hiddenOf(chosen, columnsOff())),
    true,
  );
}

/** Returns each table's columns that are hidden by default. */
function columnsOff(): HiddenColumns {
  const off: HiddenColumns = {};
  for (const { dataset, parentElement } of all("th[data-off]")) {
    const table = parentElement?.closest<HTMLElement>("[data-table]")?.dataset.table ?? "";
    off[table] ??= [];
    off[table].push(dataset.col ?? "");
  }
  return off;
}

/**
 * Returns the hidden columns: those that the user has hidden, and those hidden by default unless the user shows them
 * (`+`).
 */
export function hiddenOf(chosen: HiddenColumns, off: HiddenColumns): HiddenColumns {
  const hidden: HiddenColumns = {};
  for (const table of Object.keys({ ...chosen, ...off })) {
    const of = chosen[table] ?? [];
    const isWanted = (column: string) => of.includes(`+${column}`);
    hidden[table] = [
      ...of.filter((column) => !column.startsWith("+")),
      ...(off[table] ?? []).filter((column) => !isWanted(column)),
    ];
  }
  return hidden;
}

/** Returns one CSS rule that hides all these columns. */
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
    // Without storage the column is still hidden on this page.
  }
}
