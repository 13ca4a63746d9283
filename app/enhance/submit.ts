import { all, listen } from "./dom";

const STORED_AS = "gw_focus";
const FORM = "form[data-submit-on-change]";

/**
 * Choices apply as soon as they are made, and the next page has the focus where it was. Texts wait for Enter: whoever types
 * into one field often goes on to another.
 */
export function submitOnChange(): void {
  focusAgain();
  listen("change", (_event, field) => {
    const form = field.closest<HTMLFormElement>(FORM);
    if (!form || !isChoice(field)) return;
    if (field === document.activeElement) remember(field.name);
    form.requestSubmit();
  });
  // A page that the browser has kept for the way back shows its choices as they were made, and its list as it was before them.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) for (const form of all<HTMLFormElement>(FORM)) form.reset();
  });
  // What is not filtered by is no part of the address.
  document.addEventListener("formdata", ({ target, formData }) => {
    if (!(target instanceof Element) || !target.matches(FORM)) return;
    for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
  });
}

type Choice = HTMLSelectElement | HTMLInputElement;

function isChoice(field: Element): field is Choice {
  if (field instanceof HTMLSelectElement) return true;
  if (!(field instanceof HTMLInputElement)) return false;
  // While somebody types a year its digits make years of the Roman empire.
  if (field.type === "date") return field.value === "" || field.value >= "1000";
  return field.type === "checkbox" || field.type === "radio";
}

function focusAgain(): void {
  try {
    const [path, name] = (sessionStorage.getItem(STORED_AS) ?? "").split(" ");
    sessionStorage.removeItem(STORED_AS);
    if (path !== location.pathname) return;
    all<Choice>(`${FORM} [name]`)
      .find((field) => field.name === name)
      ?.focus({ preventScroll: true });
  } catch {
    // A browser that keeps nothing begins at the top.
  }
}

function remember(name: string): void {
  try {
    sessionStorage.setItem(STORED_AS, `${location.pathname} ${name}`);
  } catch {
    // The choice applies all the same.
  }
}
