import type { ReactNode } from "react";

export type Span = {
  name: string;
  detail?: ReactNode;
  fromMs: number;
  toMs: number;
  kind: "ours" | "good" | "wait" | "bad";
  /** Text at the end of the line. */
  text: string;
};

const FILLS = { ours: "var(--ink-3)", good: "var(--s1)", wait: "var(--s2)", bad: "var(--bad)" } as const;

/** Consecutive spans of time, one per line. Screen readers get a list instead of the drawing. */
export function Waterfall({ label, spans, totalMs }: { label: string; spans: readonly Span[]; totalMs: number }) {
  const percent = (ms: number) => `${((Math.max(0, ms) / Math.max(1, totalMs)) * 100).toFixed(3)}%`;
  return (
    <ol aria-label={label} className="waterfall">
      {spans.map((span) => (
        <li key={`${span.name}-${span.fromMs}`}>
          <span className="min-w-0">
            {span.name} {span.detail}
          </span>
          <svg height="10" width="100%" aria-hidden="true" className="block rounded-[3px] bg-sunken">
            <rect
              x={percent(span.fromMs)}
              width={percent(Math.max(span.toMs - span.fromMs, totalMs / 250))}
              height="10"
              rx="3"
              fill={FILLS[span.kind]}
            />
          </svg>
          <span className={`text-right tabular-nums ${span.kind === "bad" ? "text-bad" : "text-ink-2"}`}>
            {span.text}
          </span>
        </li>
      ))}
    </ol>
  );
}
