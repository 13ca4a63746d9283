const SENT_MS = 5_000;

/**
 * Blocks a second submission of a form while the answer is pending: it would run the action twice, and the browser
 * would show only the last answer. Without an answer the form can be sent again after a few seconds.
 */
export function sendOnce(): void {
  let sent: EventTarget | null = null;
  const free = () => {
    sent = null;
  };
  // Registered on `window`, so that it runs after the page's own handlers, which stop an invalid form.
  addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const method = event.submitter?.getAttribute("formmethod") ?? form.method;
    if (method !== "post" || event.defaultPrevented) return;
    if (form === sent) return event.preventDefault();
    sent = form;
    setTimeout(free, SENT_MS);
  });
  // After "back" a form can be sent again.
  addEventListener("pageshow", free);
}
