import type { ReactNode } from "react";

/** Text for screen readers inside a scrolling table: the wrapper keeps it within the frame. */
export function Hidden({ children }: { children: ReactNode }) {
  return (
    <span className="relative block">
      <span className="sr-only">{children}</span>
    </span>
  );
}
