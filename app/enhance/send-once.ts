const SENT_MS = 5_000;

/**
 * A form that does something is not sent again while its answer is on the way: a second press would do it twice, and the
 * browser shows the answer to the last one only. Where no answer comes, it can be sent again after a moment.
 */
export function sendOnce(): void {
  let sent: EventTarget | null = null;
  const free = () => {
    sent = null;
  };
  // Later than the page's own handlers, which keep back a form that is not right.
  addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (form.method !== "post" || event.defaultPrevented) return;
    if (form === sent) return event.preventDefault();
    sent = form;
    setTimeout(free, SENT_MS);
  });
  // Who comes back to the page may send its forms anew.
  addEventListener("pageshow", free);
}
