import { ChartTable } from "./ChartTable";
import { type Bin, heightOf, middleOf, Plot, percent } from "./Plot";

/**
 * Number of values in each bin, without gaps between the bars. `marks` are vertical lines, such as p50 and p95; `at` is
 * the position in bins: 2.5 is the middle of the third.
 */
export function Histogram({
  caption,
  bins,
  counts,
  format,
  marks = [],
}: {
  caption: string;
  bins: readonly Bin[];
  counts: readonly number[];
  format: (count: number) => string;
  marks?: readonly { name: string; at: number }[];
}) {
  const step = 100 / bins.length;
  return (
    <figure>
      <Plot bins={bins} maximum={Math.max(0, ...counts)} format={format}>
        {(top) => (
          <>
            {bins.map((bin, index) => {
              const y = heightOf(counts[index] ?? 0, top);
              return (
                <rect
                  key={bin.long ?? bin.label}
                  x={percent(middleOf(index, bins.length) - step * 0.47)}
                  y={y}
                  width={percent(step * 0.94)}
                  height={heightOf(0, top) - y}
                  fill="var(--s2)"
                >
                  <title>{`${bin.long ?? bin.label}: ${format(counts[index] ?? 0)}`}</title>
                </rect>
              );
            })}
            {marks.map(({ name, at }) => {
              const x = percent(at * step);
              return (
                <g key={name}>
                  <line x1={x} x2={x} y1="8" y2={heightOf(0, top)} stroke="var(--ink-2)" strokeDasharray="3 3" />
                  <text x={x} dx="4" y="16" className="tick">
                    {name}
                  </text>
                </g>
              );
            })}
          </>
        )}
      </Plot>
      <ChartTable
        caption={caption}
        head={[caption, ""]}
        rows={bins.map((bin, index) => [bin.long ?? bin.label, format(counts[index] ?? 0)])}
      />
    </figure>
  );
}
