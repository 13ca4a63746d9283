import { all, listen } from "./dom";

const OPEN = "details.site-menu[open], details[data-menu][open]";

/** Menus close when the attention goes elsewhere, and by Escape, which hands the focus back. */
export function closeMenus(): void {
  listen("click", (_event, target) => {
    for (const menu of all<HTMLDetailsElement>(OPEN)) {
      // A menu may name what it opens, where that is elsewhere on the page.
      const panel = menu.dataset.menuPanel;
      const isInside = menu.contains(target) || (panel !== undefined && target.closest(`#${panel}`) !== null);
      if (!isInside || (menu.matches("[data-menu]") && target.closest("a"))) menu.open = false;
    }
  });
  // A dialog is above every menu, and the browser closes it by the same key.
  listen("keydown", ({ key }) => {
    if (key !== "Escape" || all("dialog[open]")[0]) return;
    for (const menu of all<HTMLDetailsElement>(OPEN)) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
}
