import type { ReactNode } from "react";

/** Words for screen readers inside a table that scrolls: they stay within its frame. */
export function Hidden({ children }: { children: ReactNode }) {
  return (
    <span className="relative block">
      <span className="sr-only">{children}</span>
    </span>
  );
}
