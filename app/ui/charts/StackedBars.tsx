import { type ReactNode, useId } from "react";
import { ChartTable } from "./ChartTable";
import { Hatch } from "./Hatch";
import { type Bin, heightOf, middleOf, Plot, percent } from "./Plot";
import { colourOf } from "./scale";

/** `colour`: replaces the colour of the index, for series that have the same colour everywhere. */
export type Series = { name: string; values: readonly number[]; colour?: string };

/** Stacked bars over bins. `held` is hatched on top of the last bin. */
export function StackedBars({
  caption,
  bins,
  series,
  format,
  held,
  first = "",
  linkOf,
}: {
  caption: string;
  bins: readonly Bin[];
  series: readonly Series[];
  format: (value: number) => string;
  held?: { name: string; value: number };
  /** Header of the table's first column. */
  first?: string;
  /** Target of a click on a part of a bar; for keyboards the page has another link. */
  linkOf?: (bin: number, part: number) => string;
}) {
  const hatch = useId();
  const totals = bins.map((_, bin) => series.reduce((sum, { values }) => sum + (values[bin] ?? 0), 0));
  const last = bins.length - 1;
  const maximum = Math.max(0, ...totals.map((total, bin) => total + (bin === last ? (held?.value ?? 0) : 0)));
  const width = Math.min(7, 68 / bins.length);
  return (
    <figure>
      <Plot bins={bins} maximum={maximum} format={format}>
        {(top) => (
          <>
            <Hatch id={hatch} />
            {bins.map((bin, index) => {
              const x = percent(middleOf(index, bins.length) - width / 2);
              let below = 0;
              return (
                <g key={bin.long ?? bin.label}>
                  <title>{`${bin.long ?? bin.label}: ${format(totals[index] ?? 0)}`}</title>
                  {series.map(({ name, values, colour }, part) => {
                    const from = heightOf(below, top);
                    below += values[index] ?? 0;
                    const to = heightOf(below, top);
                    const height = from - to;
                    return height > 0.2 ? (
                      <Linked key={name} to={linkOf?.(index, part)}>
                        {series.length > 1 ? (
                          <title>{`${bin.long ?? bin.label}, ${name}: ${format(values[index] ?? 0)}`}</title>
                        ) : null}
                        <rect
                          x={x}
                          y={to}
                          width={percent(width)}
                          height={height > 2 ? height - 1 : height}
                          rx="1.5"
                          fill={colour ?? colourOf(part)}
                        />
                      </Linked>
                    ) : null;
                  })}
                  {held && held.value > 0 && index === last ? (
                    <rect
                      x={x}
                      y={heightOf(below + held.value, top)}
                      width={percent(width)}
                      height={Math.max(2, heightOf(below, top) - heightOf(below + held.value, top) - 1)}
                      rx="1.5"
                      fill={`url(#${hatch})`}
                    />
                  ) : null}
                </g>
              );
            })}
          </>
        )}
      </Plot>
      <ChartTable
        caption={caption}
        head={[first || caption, ...series.map(({ name }) => name)]}
        rows={bins.map((bin, index) => [
          bin.long ?? bin.label,
          ...series.map(({ values }) => format(values[index] ?? 0)),
        ])}
      />
    </figure>
  );
}

/** Charts are hidden from screen readers and are not in the tab order. */
function Linked({ to, children }: { to: string | undefined; children: ReactNode }) {
  if (to === undefined) return <g>{children}</g>;
  return (
    <a href={to} tabIndex={-1} className="hover:opacity-80">
      {children}
    </a>
  );
}
