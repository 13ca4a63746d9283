import { all, listen } from "./dom";

const ROW = "input[data-select]";

/**
 * The box in a table's header selects all rows. Every `data-selected-count` of a form shows how many rows are selected
 * for it; the browser forgets a selection when the user leaves the page.
 */
export function selectRows(): void {
  listen("change", (_event, target) => {
    if (!(target instanceof HTMLInputElement)) return;
    const table = target.closest("table");
    if (table === null) return;
    const rows = all<HTMLInputElement>(ROW, table);
    const header = all<HTMLInputElement>("[data-select-all]", table)[0];
    if (target === header) for (const row of rows) row.checked = header.checked;
    else if (!target.matches(ROW)) return;
    show(rows, header);
  });
}

function show(rows: readonly HTMLInputElement[], header: HTMLInputElement | undefined): void {
  const count = rows.filter(({ checked }) => checked).length;
  if (header !== undefined) {
    header.checked = count > 0 && count === rows.length;
    header.indeterminate = count > 0 && count < rows.length;
  }
  for (const place of all("[data-selected-count]", rows[0]?.form ?? document)) place.textContent = String(count);
}
