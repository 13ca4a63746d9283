import { all, listen } from "./dom";

const STORED_AS = "gw_focus";
const FORM = "form[data-submit-on-change]";

/**
 * Select boxes and checkboxes submit their form at once, and the next page restores the focus. Text fields wait for
 * Enter, because users often continue with another field.
 */
export function submitOnChange(): void {
  focusAgain();
  listen("change", (_event, field) => {
    const form = field.closest<HTMLFormElement>(FORM);
    if (!form || !isChoice(field)) return;
    if (field === document.activeElement) remember(field.name);
    form.requestSubmit();
  });
  // After "back" a cached page shows the changed choices beside the old list, so its form is reset.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) for (const form of all<HTMLFormElement>(FORM)) form.reset();
  });
  // Empty filters are not part of the address.
  document.addEventListener("formdata", ({ target, formData }) => {
    if (!(target instanceof Element) || !target.matches(FORM)) return;
    for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
  });
}

type Choice = HTMLSelectElement | HTMLInputElement;

function isChoice(field: Element): field is Choice {
  if (field instanceof HTMLSelectElement) return true;
  if (!(field instanceof HTMLInputElement)) return false;
  // A partly typed year is a valid year before 1000, so it is not submitted yet.
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
    // Without storage the focus is not restored.
  }
}

function remember(name: string): void {
  try {
    sessionStorage.setItem(STORED_AS, `${location.pathname} ${name}`);
  } catch {
    // Without storage the choice still applies.
  }
}
