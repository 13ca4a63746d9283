import type { ReactNode } from "react";

/** Content that can be wider than the screen: it scrolls separately, also with the keyboard. */
export function ScrollRegion({
  name,
  children,
  padding = "",
}: {
  name: string;
  children: ReactNode;
  padding?: string;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
    <section className={`panel overflow-x-auto ${padding}`} tabIndex={0} aria-label={name}>
      {children}
    </section>
  );
}
