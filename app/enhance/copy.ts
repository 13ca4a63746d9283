import { listen } from "./dom";

const SHOWN_MS = 1_600;

/** Copies what `data-copy` holds, or the text of the element that it names by `#id`, and says so for a moment. */
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

// The clipboard is there over https only; the selection is the way that also works over plain http.
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
