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
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of all<HTMLDetailsElement>(OPEN)) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
}
