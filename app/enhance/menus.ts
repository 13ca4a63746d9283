import { all, listen } from "./dom";

const OPEN = "details.site-menu[open], details[data-menu][open]";

/** Menus close on a click elsewhere, and on Escape, which returns the focus to their button. */
export function closeMenus(): void {
  listen("click", (_event, target) => {
    for (const menu of all<HTMLDetailsElement>(OPEN)) {
      // A menu can name a panel that it opens elsewhere on the page.
      const panel = menu.dataset.menuPanel;
      const isInside = menu.contains(target) || (panel !== undefined && target.closest(`#${panel}`) !== null);
      if (!isInside || (menu.matches("[data-menu]") && target.closest("a"))) menu.open = false;
    }
  });
  // An open dialog is above every menu, and the browser closes it with the same key.
  listen("keydown", ({ key }) => {
    if (key !== "Escape" || all("dialog[open]")[0]) return;
    for (const menu of all<HTMLDetailsElement>(OPEN)) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
}
