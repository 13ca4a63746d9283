import type { AnchorHTMLAttributes, MouseEvent } from "react";

/**
 * A link to a part of its own page. Without script the browser follows it. With script it scrolls without a navigation:
 * the router would treat a navigation as a new page and drop the result of the last action, such as a rejected form.
 */
export function InPageLink(props: AnchorHTMLAttributes<HTMLAnchorElement> & { href: `#${string}` }) {
  return <a {...props} {...goesToPart} />;
}

const goesToPart = { onClick: goToPart };

function goToPart(event: MouseEvent<HTMLAnchorElement>): void {
  const part = document.getElementById(event.currentTarget.hash.slice(1));
  if (part === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  part.focus({ preventScroll: true });
  if (document.activeElement !== part) focusOnce(part);
  part.scrollIntoView();
}

/** Focuses an element that is not focusable by itself, so that the next Tab continues from there. */
function focusOnce(part: HTMLElement): void {
  part.tabIndex = -1;
  part.addEventListener("blur", () => part.removeAttribute("tabindex"), { once: true });
  part.focus({ preventScroll: true });
}
