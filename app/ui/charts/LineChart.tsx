import { curveMonotoneX, line } from "d3-shape";
import { ChartTable } from "./ChartTable";
import { type Bin, heightOf, middleOf, PLOT_HEIGHT, Plot, percent } from "./Plot";
import type { Series } from "./StackedBars";
import { colourOf } from "./scale";

/** Lines over bins. A missing value (NaN) leaves a gap. */
export function LineChart({
  caption,
  bins,
  series,
  format,
}: {
  caption: string;
  bins: readonly Bin[];
  series: readonly Series[];
  format: (value: number) => string;
}) {
  const maximum = Math.max(0, ...series.flatMap(({ values }) => values.filter(Number.isFinite)));
  return (
    <figure>
      <Plot bins={bins} maximum={maximum} format={format}>
        {(top) => (
          <>
            <svg
              width="100%"
              height={PLOT_HEIGHT}
              viewBox={`0 0 100 ${PLOT_HEIGHT}`}
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              {series.map(({ name, values }, index) => (
                <path
                  key={name}
                  d={
                    line<number>()
                      .defined(Number.isFinite)
                      .x((_, bin) => middleOf(bin, bins.length))
                      .y((value) => heightOf(value, top))
                      .curve(curveMonotoneX)([...values]) ?? ""
                  }
                  fill="none"
                  stroke={colourOf(index)}
                  strokeWidth="1.8"
                  vectorEffect="non-scaling-stroke"
                />
              ))}
            </svg>
            {bins.map((bin, index) => (
              <rect
                key={bin.long ?? bin.label}
                x={percent((index * 100) / bins.length)}
                y="0"
                width={percent(100 / bins.length)}
                height="190"
                fill="transparent"
              >
                <title>
                  {[
                    bin.long ?? bin.label,
                    ...series.map(({ name, values }) => `${name} ${format(values[index] ?? Number.NaN)}`),
                  ].join("\n")}
                </title>
              </rect>
            ))}
          </>
        )}
      </Plot>
      <ChartTable
        caption={caption}
        head={[caption, ...series.map(({ name }) => name)]}
        rows={bins.map((bin, index) => [
          bin.long ?? bin.label,
          ...series.map(({ values }) => format(values[index] ?? 0)),
        ])}
      />
    </figure>
  );
}
