import { all, holdsWords, listen } from "./dom";

/** Ctrl-K: to a page by a few letters. */
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
  });
  listen("input", (_event, target) => {
    if (target instanceof HTMLInputElement && target.matches("[data-palette-field]")) narrow(target.value);
  });
}

function open(): void {
  const palette = document.querySelector<HTMLDialogElement>("[data-palette]");
  if (!palette || palette.open) return;
  for (const field of all<HTMLInputElement>("[data-palette-field]", palette)) field.value = "";
  narrow("");
  palette.showModal();
}

function steer(event: KeyboardEvent): void {
  const shown = all("[data-palette-row]:not([hidden])");
  const at = shown.findIndex((row) => "chosen" in row.dataset);
  if (event.key === "Enter") shown[Math.max(at, 0)]?.querySelector("a")?.click();
  else if (event.key === "ArrowDown") choose(shown[(at + 1) % shown.length]);
  else if (event.key === "ArrowUp") choose(shown.at((at < 0 ? 0 : at) - 1));
  else return;
  event.preventDefault();
}

function choose(next: HTMLElement | undefined): void {
  for (const row of all("[data-palette-row]")) delete row.dataset.chosen;
  if (next) next.dataset.chosen = "";
  next?.scrollIntoView({ block: "nearest" });
}

function narrow(typed: string): void {
  const matches = holdsWords(typed);
  const rows = all("[data-palette-row]");
  for (const row of rows) row.hidden = !matches(row.textContent ?? "");
  choose(rows.find((row) => !row.hidden));
}
