type BoxStyle = "plain" | "hold" | "cost";

const BOXES: Readonly<Record<BoxStyle, string>> = {
  plain: "fill-surface stroke-line-strong",
  hold: "fill-held-soft stroke-held",
  cost: "fill-accent-soft stroke-accent",
};

type BoxFacts = {
  x: number;
  y: number;
  width: number;
  height: number;
  title: string;
  lines?: readonly string[];
  look?: BoxStyle;
  isFaint?: boolean;
};

/** A named box with up to two lines of text below its name. */
export function Box({ x, y, width, height, title, lines = [], look = "plain", isFaint = false }: BoxFacts) {
  const middle = x + width / 2;
  const first = lines.length === 0 ? y + height / 2 + 4.5 : y + 27;
  return (
    <g className={isFaint ? "opacity-60" : undefined}>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx="8"
        className={BOXES[look]}
        strokeDasharray={isFaint ? "4 4" : undefined}
      />
      <text x={middle} y={first} textAnchor="middle" className={`fill-ink ${lines.length > 0 ? "font-semibold" : ""}`}>
        {title}
      </text>
      {lines.map((line, index) => (
        <text key={line} x={middle} y={first + 20 + index * 17} textAnchor="middle" className="fill-ink-2 text-xs">
          {line}
        </text>
      ))}
    </g>
  );
}

const STROKES = { flow: "stroke-ink-3", hold: "stroke-held", cost: "stroke-accent" } as const;

export function Arrow({ d, kind, isDashed = false }: { d: string; kind: keyof typeof STROKES; isDashed?: boolean }) {
  return (
    <path
      d={d}
      className={`fill-none ${STROKES[kind]}`}
      strokeWidth={kind === "flow" ? 1.3 : 1.7}
      strokeDasharray={isDashed ? "5 3" : undefined}
      markerEnd={`url(#head-${kind})`}
    />
  );
}

const BAR_X = 392;
const BAR_WIDTH = 380;

/** A limit at one moment: the spent share is solid, the held share hatched. Shares are from 0 to 1. */
export function Bar({
  y,
  name,
  amount,
  spent,
  held,
}: {
  y: number;
  name: string;
  amount: string;
  spent: number;
  held: number;
}) {
  return (
    <g>
      <text x="186" y={y + 10} className="fill-ink">
        {name}
      </text>
      <rect x={BAR_X} y={y} width={BAR_WIDTH} height="12" rx="6" className="fill-surface stroke-line-strong" />
      <rect x={BAR_X} y={y} width={BAR_WIDTH * spent} height="12" rx="6" className="fill-accent" />
      {held > 0 ? (
        <rect x={BAR_X + BAR_WIDTH * spent} y={y} width={BAR_WIDTH * held} height="12" fill="url(#picture-hatch)" />
      ) : null}
      <text x={BAR_X + BAR_WIDTH + 18} y={y + 10} className="fill-ink-2 font-mono text-2xs">
        {amount}
      </text>
    </g>
  );
}
