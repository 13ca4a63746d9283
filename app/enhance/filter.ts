import { all, containsWords } from "./dom";

/** A search box filters the entries of its page as the user types; the address keeps the words. */
export function narrowWhileTyping(): void {
  const field = document.querySelector<HTMLInputElement>("[data-filter]");
  field?.addEventListener("input", () => {
    narrow(field.value);
    putInAddress(field.value.trim());
  });
  field?.form?.addEventListener("submit", (event) => event.preventDefault());
}

function narrow(typed: string): void {
  const matches = containsWords(typed);
  let shown = 0;
  for (const section of all("[data-filter-section]")) {
    let inSection = 0;
    for (const entry of all("[data-filter-entry]", section)) {
      entry.hidden = !matches(entry.dataset.filterText ?? entry.textContent ?? "");
      if (!entry.hidden) inSection += 1;
    }
    section.hidden = inSection === 0;
    shown += inSection;
  }
  for (const count of all("[data-filter-count]")) count.textContent = String(shown);
  for (const nothing of all("[data-filter-nothing]")) nothing.hidden = shown > 0;
}

function putInAddress(typed: string): void {
  const address = new URL(location.href);
  if (typed) address.searchParams.set("q", typed);
  else address.searchParams.delete("q");
  history.replaceState(history.state, "", address);
}
