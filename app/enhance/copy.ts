import { listen } from "./dom";

const SHOWN_MS = 1_600;

/** Copies the value of `data-copy`, or the text of the element that it names as `#id`, and confirms it for a moment. */
export function copyOnClick(): void {
  listen("click", async (_event, target) => {
    const button = target.closest<HTMLElement>("[data-copy]");
    if (!button || !(await copy(textOf(button.dataset.copy ?? "")))) return;
    button.dataset.copied = "";
    setTimeout(() => delete button.dataset.copied, SHOWN_MS);
  });
}

function textOf(source: string): string {
  return source.startsWith("#") ? (document.querySelector(source)?.textContent ?? "") : source;
}

// Browsers offer the clipboard API over https only; copying the selection also works over plain http.
async function copy(text: string): Promise<boolean> {
  if (!navigator.clipboard) return copyBySelection(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr-only";
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  return copied;
}
