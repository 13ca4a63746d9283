import type { AnchorHTMLAttributes, MouseEvent } from "react";

/**
 * A link to a part of the page it stands on. Without script the browser follows it. With script it goes there without a
 * navigation: the router takes one for a page of its own, and forgets what an action answered, a refused form included.
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

/** Puts the cursor where it does not stand by itself, so that the next Tab goes on from there. */
function focusOnce(part: HTMLElement): void {
  part.tabIndex = -1;
  part.addEventListener("blur", () => part.removeAttribute("tabindex"), { once: true });
  part.focus({ preventScroll: true });
}
