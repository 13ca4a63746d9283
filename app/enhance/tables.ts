import { listen } from "./dom";

const HANDLES_CLICKS = "a, button, input, select, textarea, label, summary, dialog, [data-menu]";

/** A click anywhere in a row follows the link of its first cell. Texts that are cut off get a tooltip. */
export function openRows(): void {
  listen("click", (event, target) => {
    const row = target.closest(".table tbody tr");
    if (!row || target.closest(HANDLES_CLICKS) || getSelection()?.isCollapsed === false) return;
    const link = row.querySelector<HTMLAnchorElement>(":scope:not(.table-detail) > td:first-child a[href]");
    if (!link) return;
    if (event.ctrlKey || event.metaKey) open(link.href);
    else link.click();
  });
  listen("pointerover", (_event, target) => {
    const cut = target.closest<HTMLElement>(".table td, .table td .truncate, .table td:first-child > .grid > *");
    if (cut && cut.scrollWidth > cut.clientWidth && !cut.closest("[title]")) cut.title = cut.innerText;
  });
}
