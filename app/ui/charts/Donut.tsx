import { arc, pie } from "d3-shape";
import { ChartTable } from "./ChartTable";
import { colourOf } from "./scale";

export type Slice = { name: string; value: number };

/** Shares of a whole. `middle` is the content of the centre; `format` formats the value of a slice. */
export function Donut({
  caption,
  slices,
  middle,
  format,
}: {
  caption: string;
  slices: readonly Slice[];
  middle?: string;
  format: (value: number) => string;
}) {
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const angles = pie<Slice>()
    .value(({ value }) => value)
    .sort(null)
    .padAngle(0.015)([...slices]);
  const shape = arc<(typeof angles)[number]>().innerRadius(52).outerRadius(76).cornerRadius(2);
  return (
    <figure className="flex flex-wrap items-center gap-6">
      <svg viewBox="-80 -80 160 160" width="160" height="160" aria-hidden="true" className="shrink-0">
        {total === 0 ? <circle r="64" fill="none" stroke="var(--line)" strokeWidth="24" /> : null}
        {total === 0
          ? null
          : angles.map((angle, index) => (
              <path key={angle.data.name} d={shape(angle) ?? ""} fill={colourOf(index)}>
                <title>{`${angle.data.name}: ${format(angle.data.value)}`}</title>
              </path>
            ))}
        {middle ? (
          <text y="6" textAnchor="middle" className="donut-middle">
            {middle}
          </text>
        ) : null}
      </svg>
      <ul aria-hidden="true" className="grid min-w-40 flex-1 gap-1.5">
        {slices.map(({ name, value }, index) => (
          <li key={name} className="flex items-baseline justify-between gap-4">
            <span className="inline-flex min-w-0 items-center gap-2">
              <svg width="9" height="9" aria-hidden="true" className="shrink-0">
                <rect width="9" height="9" rx="2" fill={colourOf(index)} />
              </svg>
              <span className="truncate">{name}</span>
            </span>
            <span className="text-ink-2 tabular-nums">{format(value)}</span>
          </li>
        ))}
      </ul>
      <ChartTable
        caption={caption}
        head={[caption, ""]}
        rows={slices.map(({ name, value }) => [name, format(value)])}
      />
    </figure>
  );
}
