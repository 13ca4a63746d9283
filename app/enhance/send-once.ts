import { all } from "./dom";

const SENT_MS = 5_000;

/**
 * A form that does something is not sent again while its answer is on the way: a second press would do it twice, and the
 * browser shows the answer to the last one only. Where no answer comes, it can be sent again after a moment.
 */
export function sendOnce(): void {
  // Later than the page's own handlers, which keep back a form that is not right.
  window.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.method !== "post" || event.defaultPrevented) return;
    if ("sent" in form.dataset) return event.preventDefault();
    form.dataset.sent = "";
    setTimeout(() => free(form), SENT_MS);
  });
  // Who comes back to the page may send its forms anew.
  window.addEventListener("pageshow", () => {
    for (const form of all<HTMLFormElement>("form[data-sent]")) free(form);
  });
}

const free = ({ dataset }: HTMLFormElement): void => {
  delete dataset.sent;
};
