import { all, containsWords, listen } from "./dom";
import { findAsTyped } from "./palette-search";

/** Ctrl-K opens a palette of pages, objects and actions, which is filtered by a few letters. */
export function jumpByLetters(): void {
  listen("keydown", (event, target) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      open();
    }
    if (target.closest("[data-palette]")) steer(event);
  });
  listen("click", (_event, target) => {
    if (target.closest("[data-palette-open]")) open();
    else if (target instanceof HTMLDialogElement && target.matches("[data-palette]")) target.close();
    else if (target.closest("[data-palette] [data-theme-choice]")) target.closest("dialog")?.close();
  });
  listen("input", (_event, target) => {
    if (!(target instanceof HTMLInputElement) || !target.matches("[data-palette-field]")) return;
    narrow(target.value);
    findAsTyped(target, () => choose(shownRows().find((row) => "chosen" in row.dataset) ?? shownRows()[0]));
  });
}

function open(): void {
  const palette = document.querySelector<HTMLDialogElement>("[data-palette]");
  if (!palette || palette.open) return;
  for (const field of all<HTMLInputElement>("[data-palette-field]", palette)) field.value = "";
  for (const results of all("[data-palette-found]", palette)) results.replaceChildren();
  narrow("");
  palette.showModal();
}

const shownRows = () => all("[data-palette-row]:not([hidden])");

function steer(event: KeyboardEvent): void {
  const shown = shownRows();
  const at = shown.findIndex((row) => "chosen" in row.dataset);
  if (event.key === "Enter") shown[Math.max(at, 0)]?.querySelector<HTMLElement>("a, button")?.click();
  else if (event.key === "ArrowDown") choose(shown[(at + 1) % shown.length]);
  else if (event.key === "ArrowUp") choose(shown.at((at < 0 ? 0 : at) - 1));
  else return;
  event.preventDefault();
}

/** Marks a row and announces it to screen readers; the focus stays in the text field. */
function choose(next: HTMLElement | undefined): void {
  for (const row of all("[data-palette-row]")) delete row.dataset.chosen;
  if (next) next.dataset.chosen = "";
  next?.scrollIntoView({ block: "nearest" });
  for (const status of all("[data-palette-status]"))
    status.textContent = next?.textContent ?? status.dataset.nothing ?? "";
}

function narrow(typed: string): void {
  const matches = containsWords(typed);
  // The server's matches can match by more than their text, so they stay visible.
  for (const row of all("[data-palette-row]:not([data-palette-found] *)"))
    row.hidden = !matches(row.textContent ?? "") || ("onTyping" in row.dataset && typed.trim() === "");
  choose(shownRows()[0]);
}
