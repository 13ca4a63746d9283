import { all, listen } from "./dom";

/** A choice of language in one example applies to all examples of the page that offer it. */
export function shareChoices(): void {
  listen("change", (_event, target) => {
    if (!(target instanceof HTMLInputElement) || !target.matches(".choice-button")) return;
    for (const button of all<HTMLInputElement>(".choice-button"))
      if (button.value === target.value) button.checked = true;
  });
}
