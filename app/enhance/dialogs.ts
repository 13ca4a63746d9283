import { listen } from "./dom";

/** Opens dialogs in browsers without support for `command` and `commandfor`. */
export function openDialogs(): void {
  if ("commandForElement" in HTMLButtonElement.prototype) return;
  listen("click", (_event, target) => {
    const button = target.closest("button[commandfor]");
    const dialog = button && document.getElementById(button.getAttribute("commandfor") ?? "");
    if (!(dialog instanceof HTMLDialogElement)) return;
    if (button?.getAttribute("command") === "show-modal") dialog.showModal();
    else dialog.close();
  });
}
