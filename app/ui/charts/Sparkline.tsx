import { line } from "d3-shape";

const WIDTH = 86;
const HEIGHT = 22;

/**
 * The trend of a figure without numbers; narrower if the text beside it needs the space. Hidden from screen readers,
 * because the figure beside it has the same content.
 */
export function Sparkline({ values }: { values: readonly number[] }) {
  const maximum = Math.max(...values);
  const minimum = Math.min(...values);
  const path = line<number>()
    .x((_, index) => (index * WIDTH) / (values.length - 1))
    .y((value) =>
      maximum === minimum ? HEIGHT - 3 : HEIGHT - 2 - ((value - minimum) / (maximum - minimum)) * (HEIGHT - 5),
    );
  return (
    <svg
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="min-w-10 shrink-[100]"
    >
      <path d={path([...values]) ?? ""} fill="none" stroke="var(--s1)" strokeWidth="1.6" strokeLinejoin="round" />
    </svg>
  );
}
