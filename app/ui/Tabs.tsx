import type { ReactNode } from "react";
import { Link } from "react-router";

export type Tab = { to: string; label: ReactNode; current: boolean; count?: number };

/** The tabs of a page, each with its own address. */
export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  return (
    <nav aria-label={label} className="mb-4 flex gap-5 overflow-x-auto border-line border-b">
      {tabs.map(({ to, label: text, current, count }) => (
        <Link key={to} to={to} preventScrollReset aria-current={current ? "page" : undefined} className="tab">
          {text}
          {count === undefined ? null : <span className="ml-1.5 text-ink-3 tabular-nums">{count}</span>}
        </Link>
      ))}
    </nav>
  );
}

/** A few alternative views, such as 24 hours, 7 days, 30 days. */
export function Segments({ items, label }: { items: readonly Tab[]; label: string }) {
  return (
    <nav aria-label={label} className="segments">
      {items.map(({ to, label: text, current }) => (
        <Link key={to} to={to} preventScrollReset aria-current={current ? "true" : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
