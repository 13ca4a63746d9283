import { all, listen } from "./dom";

const SHOWN_SECONDS = 6;
/** With a button to undo the act. */
const SHOWN_WITH_UNDO_SECONDS = 20;

/** Messages disappear after a while, unless the pointer or focus is on them. Errors stay until the user closes them. */
export function dismissToasts(): void {
  listen("click", (_event, target) => {
    const toast = target.closest("[data-toast-close]")?.closest<HTMLElement>(".toast");
    if (toast) toast.hidden = true;
  });
  setInterval(() => {
    for (const toast of all(".toast[data-toast=good]:not([hidden])")) {
      const age = Number(toast.dataset.age ?? 0) + 1;
      toast.dataset.age = String(age);
      const shown = toast.querySelector("form") ? SHOWN_WITH_UNDO_SECONDS : SHOWN_SECONDS;
      if (age > shown && !toast.matches(":hover, :focus-within")) toast.hidden = true;
    }
  }, 1_000);
}
