import { ChevronLeft } from "lucide-react";
import { Children, Fragment, type ReactNode } from "react";
import { Link } from "react-router";
import { classNames } from "./class-names";

/** The head of a page: its title, which also names the browser tab, and its actions. */
export function PageHeader({
  title,
  sub,
  tags,
  actions,
  back,
}: {
  title: string;
  sub?: ReactNode;
  tags?: ReactNode;
  actions?: ReactNode;
  back?: { to: string; label: ReactNode };
}) {
  return (
    <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <title>{`${title} · gw`}</title>
      <div className="min-w-0">
        {back ? (
          <Link to={back.to} className="mb-1 -ml-1 inline-flex items-center gap-0.5 text-ink-3 hover:text-ink">
            <ChevronLeft size={15} aria-hidden="true" />
            {back.label}
          </Link>
        ) : null}
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 className="min-w-0 text-2xl leading-tight wrap-anywhere">{title}</h1>
          {tags}
        </div>
        {sub ? <div className="mt-0.5 text-ink-2">{sub}</div> : null}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
    </div>
  );
}

/** Facts in a line, separated by dots; no dot at the start or end of a line. */
export function FactLine({ children }: { children: ReactNode }) {
  return (
    <span className="fact-line">
      <span>
        {Children.map(children, (fact) => (
          <span>{fact}</span>
        ))}
      </span>
    </span>
  );
}

/** A framed part of a page. `flush`: the content reaches the frame, for tables. */
export function Section({
  title,
  aside,
  children,
  flush,
  id,
}: {
  title?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  flush?: boolean;
  id?: string;
}) {
  return (
    <section id={id} className="panel section">
      {title ? (
        <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b px-4 py-2.5">
          <h2 className="text-md">{title}</h2>
          {aside ? <div className="min-w-0 max-w-full text-ink-3">{aside}</div> : null}
        </header>
      ) : null}
      {flush ? children : <div className="px-4 py-3.5">{children}</div>}
    </section>
  );
}

/**
 * A part of a page that the script reloads every few seconds while the page is visible: see `app/enhance/live.ts`. The
 * page must not be hydrated. New table rows are highlighted.
 */
export function Live({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div data-live={name} className="live">
      {children}
    </div>
  );
}

/** Panels in columns; on narrow screens in one column. */
export function Columns({ children, even }: { children: ReactNode; even?: boolean }) {
  return (
    <div
      className={classNames(
        "grid grid-cols-1 gap-x-3.5 lg:items-stretch",
        even ? "lg:grid-cols-2" : "lg:grid-cols-[minmax(0,1.45fr)_minmax(0,1fr)]",
      )}
    >
      {children}
    </div>
  );
}

/** Names on the left, values on the right. */
export function DetailList({ rows }: { rows: readonly (readonly [ReactNode, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-details gap-x-5 gap-y-1.5">
      {rows.map(([label, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the rows never changes
        <Fragment key={index}>
          <dt className="text-ink-3">{label}</dt>
          <dd className="text-right wrap-anywhere [&_time]:whitespace-normal">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** Content of an empty list: the reason, and the next step. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-1.5 px-6 py-10 text-center">
      <span aria-hidden="true" className="empty-mark" />
      <p className="mt-2 font-strong text-base">{title}</p>
      {children ? <div className="max-w-note text-ink-2">{children}</div> : null}
      {action ? <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  );
}

export type BadgeKind = "good" | "held" | "bad" | "info" | "plain";
const BADGES: Readonly<Record<BadgeKind, string>> = {
  good: "bg-accent-soft text-accent",
  held: "bg-held-soft text-held-ink",
  bad: "bg-bad-soft text-bad",
  info: "bg-info-soft text-info",
  plain: "bg-sunken text-ink-2",
};

/** A state in a word. The colour only supports the word. */
export function Badge({ kind = "plain", title, children }: { kind?: BadgeKind; title?: string; children: ReactNode }) {
  return (
    <span title={title} className={classNames("tag", BADGES[kind])}>
      {children}
    </span>
  );
}

/** Placeholder of content that is loading. */
export function Skeleton({ lines = 3, chart }: { lines?: number; chart?: boolean }) {
  return (
    <div aria-hidden="true" className="grid gap-2.5 px-4 py-4">
      {chart ? <span className="skeleton h-40" /> : null}
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical placeholders
        <span key={line} className="skeleton skeleton-line" />
      ))}
    </div>
  );
}
