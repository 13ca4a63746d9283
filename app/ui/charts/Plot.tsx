import type { ReactNode } from "react";
import { classNames } from "../class-names";
import { axisOf, labelEvery } from "./scale";

export type Bin = {
  /** Label below the axis. */
  label: string;
  /** Full label, for the tooltip and the table. */
  long?: string;
};

export const PLOT_HEIGHT = 216;
const TOP = 10;
const BASE = PLOT_HEIGHT - 26;
const MIN_AXIS_WIDTH = 56;
/** Width of an axis character in pixels; no digit is wider. */
const CHARACTER_WIDTH = 6.6;
const AXIS_GAP = 9;
const MAX_LABELS = 16;

/** Vertical position of a value, in pixels from the top. */
export const heightOf = (value: number, top: number): number => BASE - (value / top) * (BASE - TOP);
/** Centre of a bin in percent of the width. Percentages fit a drawing to any width without scaling its text. */
export const middleOf = (index: number, count: number): number => ((index + 0.5) * 100) / count;
export const percent = (share: number): string => `${share.toFixed(3)}%`;

/** Axes, grid and labels of a chart over bins; `children` draws the values. */
export function Plot({
  bins,
  maximum,
  format,
  children,
}: {
  bins: readonly Bin[];
  maximum: number;
  format: (value: number) => string;
  children: (top: number) => ReactNode;
}) {
  const { ticks, top } = axisOf(maximum, format);
  const every = labelEvery(bins.length, MAX_LABELS);
  const longest = Math.max(...ticks.map((tick) => format(tick).length));
  const axisWidth = Math.max(MIN_AXIS_WIDTH, Math.ceil(longest * CHARACTER_WIDTH) + AXIS_GAP);
  return (
    <div aria-hidden="true" className="flex">
      <svg width={axisWidth} height={PLOT_HEIGHT} className="shrink-0" aria-hidden="true">
        {ticks.map((tick) => (
          <text key={tick} x={axisWidth - AXIS_GAP} y={heightOf(tick, top) + 4} textAnchor="end" className="tick">
            {format(tick)}
          </text>
        ))}
      </svg>
      <svg width="100%" height={PLOT_HEIGHT} className="min-w-0 flex-1" aria-hidden="true">
        {ticks.map((tick) => (
          <line
            key={tick}
            x1="0"
            x2="100%"
            y1={heightOf(tick, top)}
            y2={heightOf(tick, top)}
            stroke="var(--line)"
            strokeDasharray={tick === 0 ? undefined : "2 4"}
          />
        ))}
        {bins.map((bin, index) =>
          index % every === 0 ? (
            <text
              key={bin.long ?? bin.label}
              x={percent(middleOf(index, bins.length))}
              y={PLOT_HEIGHT - 7}
              textAnchor="middle"
              className={classNames("tick", index % (every * 3) !== 0 && bins.length > 8 && "tick-minor")}
            >
              {bin.label}
            </text>
          ) : null,
        )}
        {children(top)}
      </svg>
    </div>
  );
}
