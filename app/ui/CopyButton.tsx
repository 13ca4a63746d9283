/** Copies a text, or the content of the element that `of` names with `#`. Shown where the page's script runs. */
export function CopyButton({ of, what }: { of: string; what: string }) {
  return <button type="button" data-copy={of} aria-label={`Copy ${what}`} className="copy-button" />;
}
