import { line } from "d3-shape";

const WIDTH = 86;
const HEIGHT = 22;

/** The course of a figure without numbers. It repeats what the figure beside it says, so screen readers pass it by. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(...values);
  const least = Math.min(...values);
  const path = line<number>()
    .x((_, index) => (index * WIDTH) / (values.length - 1))
    .y((value) => (most === least ? HEIGHT - 3 : HEIGHT - 2 - ((value - least) / (most - least)) * (HEIGHT - 5)));
  return (
    <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" className="shrink-0">
      <path d={path([...values]) ?? ""} fill="none" stroke="var(--s1)" strokeWidth="1.6" strokeLinejoin="round" />
    </svg>
  );
}
