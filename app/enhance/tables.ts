import { listen } from "./dom";
import { openPanel } from "./panel";

const HANDLES_CLICKS = "a, button, input, select, textarea, label, summary, dialog, [data-menu], .table-select";

/**
 * A click anywhere in a row follows the link of its first cell, or opens its page beside the list (`data-panel`). Texts
 * that are cut off get a tooltip.
 */
export function openRows(): void {
  listen("click", (event, target) => {
    const row = target.closest<HTMLElement>(".table tbody tr");
    if (!row || target.closest(HANDLES_CLICKS) || getSelection()?.isCollapsed === false) return;
    const link = row.querySelector<HTMLAnchorElement>(":scope > td[data-row-link] a[href]");
    if (!link) return;
    const list = row.closest("[data-panel]");
    if (event.ctrlKey || event.metaKey) open(link.href);
    else if (list) void openPanel(list, link.href);
    else link.click();
  });
  listen("pointerover", (_event, target) => {
    const cut = target.closest<HTMLElement>(".table td, .table td .truncate, .table td.table-main > .grid > *");
    if (cut && cut.scrollWidth > cut.clientWidth && !cut.closest("[title]")) cut.title = cut.innerText;
  });
}
