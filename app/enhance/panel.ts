import { all } from "./dom";

/**
 * Shows the page of a row in the list's side panel (`dialog[data-side-panel]`); a link in it opens the page itself. If
 * the page cannot be shown there, it is opened.
 */
export async function openPanel(list: Element, address: string): Promise<void> {
  const panel = list.querySelector<HTMLDialogElement>("dialog[data-side-panel]");
  const place = panel?.querySelector("[data-panel-content]");
  const page = place ? await contentOf(address) : null;
  if (!panel || !place || !page) return location.assign(address);
  place.replaceChildren(...page.childNodes);
  for (const link of all<HTMLAnchorElement>("a[data-panel-link]", panel)) link.href = address;
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
}

/** Fetches the content of a page. Its forms without an address and its links within the page keep their meaning. */
async function contentOf(address: string): Promise<HTMLElement | null> {
  const response = await fetch(address, { headers: { accept: "text/html" } }).catch(() => null);
  if (!response?.ok || response.redirected) return null;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const main = page.querySelector("main");
  if (main === null) return null;
  for (const form of all<HTMLFormElement>("form:not([action])", main)) form.setAttribute("action", address);
  for (const link of all<HTMLAnchorElement>("a[href^='#'], a[href^='?']", main))
    link.setAttribute("href", `${address.split(/[?#]/)[0]}${link.getAttribute("href")}`);
  return main;
}
