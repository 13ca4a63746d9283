import { ScrollRegion } from "../parts/ScrollRegion";
import { Arrow, Bar, Box } from "./drawing";

const STAGE_WIDTH = 132;
const stageX = (index: number) => 168 + index * 150;

const STAGES = [
  ["Authenticate", "who calls, and", "what it may do"],
  ["Route", "inside models", "and regions"],
  ["Admit", "a durable hold,", "or a refusal"],
  ["Call", "and fail over", "before a word"],
  ["Deliver", "counted as", "it passes"],
  ["Settle", "the true cost,", "once"],
] as const;

/** The path of a request and of its money. It uses the page's colours, so it follows the theme. */
export function Picture({ words }: { words: Readonly<Record<string, string>> }) {
  return (
    <figure>
      <ScrollRegion name={words.title ?? ""} padding="p-3 sm:p-5">
        <svg
          viewBox="0 0 1076 540"
          className="block w-full min-w-224 text-sm"
          role="img"
          aria-labelledby="picture-title picture-text"
        >
          <title id="picture-title">{words.title}</title>
          <desc id="picture-text">{words.text}</desc>
          <Arrowheads />
          <Suppliers />
          <Stages />
          <Money />
        </svg>
      </ScrollRegion>
      <figcaption className="mt-2 text-ui text-ink-3">{words.caption}</figcaption>
    </figure>
  );
}

function Arrowheads() {
  return (
    <defs>
      {(
        [
          ["flow", "fill-ink-3"],
          ["hold", "fill-held"],
          ["cost", "fill-accent"],
        ] as const
      ).map(([id, fill]) => (
        <marker
          key={id}
          id={`head-${id}`}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto-start-reverse"
        >
          <path className={fill} d="M0 0 8 4 0 8z" />
        </marker>
      ))}
      <pattern id="picture-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" className="fill-held-soft" />
        <rect width="1.6" height="5" className="fill-held" />
      </pattern>
    </defs>
  );
}

function Suppliers() {
  const callX = stageX(3) + STAGE_WIDTH / 2;
  return (
    <g>
      <rect x="440" y="10" width="388" height="82" rx="10" className="fill-none stroke-accent" strokeDasharray="4 4" />
      <text x="454" y="30" className="fill-accent">
        inside the lock: eu
      </text>
      <Box x={454} y={40} width={174} height={40} title="Supplier one, eu-west" />
      <Box x={640} y={40} width={174} height={40} title="Supplier two, eu-north" />
      <Box x={868} y={40} width={174} height={40} title="Supplier three, us" isFaint />
      <text x={955} y={108} textAnchor="middle" className="fill-ink-3">
        never connected to
      </text>
      <Arrow kind="flow" d={`M${callX - 30} 146 V116 Q${callX - 30} 108 ${callX - 38} 108 H549 Q541 108 541 100 V86`} />
      <Arrow kind="flow" d={`M${callX + 12} 146 V86`} isDashed />
      <text x={callX + 24} y={128} className="fill-ink-3">
        if the first fails
      </text>
    </g>
  );
}

function Stages() {
  return (
    <g>
      <Box x={12} y={150} width={112} height={84} title="Application" lines={["any usual", "SDK"]} />
      {STAGES.map(([title, ...lines], index) => (
        <Box
          key={title}
          x={stageX(index)}
          y={150}
          width={STAGE_WIDTH}
          height={84}
          title={title}
          lines={lines}
          look={title === "Admit" ? "hold" : title === "Settle" ? "cost" : "plain"}
        />
      ))}
      <Arrow kind="flow" d="M124 182 H164" />
      {[0, 1, 2, 3, 4].map((index) => (
        <Arrow key={index} kind="flow" d={`M${stageX(index) + STAGE_WIDTH} 192 H${stageX(index + 1) - 4}`} />
      ))}
      <Arrow
        kind="flow"
        d={`M${stageX(4) + 40} 234 V252 Q${stageX(4) + 40} 262 ${stageX(4) + 30} 262 H78 Q68 262 68 252 V240`}
      />
      <text x={86} y={281} className="fill-ink-3">
        the answer, with its receipt in the x-gw- headers
      </text>
    </g>
  );
}

function Money() {
  const admitX = stageX(2) + STAGE_WIDTH / 2;
  const settleX = stageX(5) + STAGE_WIDTH / 2;
  return (
    <g>
      <rect x="168" y="312" width="882" height="216" rx="12" className="fill-sunken stroke-line" />
      <text x="186" y="340" className="fill-ink font-semibold">
        PostgreSQL, or the embedded one
      </text>
      <text x="186" y="360" className="fill-ink-2">
        one statement for a whole batch of both
      </text>
      <Bar y={396} name="Held while it runs" amount="$0.038400000" spent={0.36} held={0.16} />
      <Bar y={434} name="Charged when it is over" amount="$0.003625600" spent={0.39} held={0} />
      <Arrow kind="hold" d={`M${admitX} 234 V390`} isDashed />
      <Arrow kind="cost" d={`M${settleX} 234 V432 Q${settleX} 440 ${settleX - 8} 440 H900`} />
      <text x="186" y="471" className="fill-ink-2">
        In the budgets of key, person, department, project and organisation, and in the wallet: in all of them or in
        none.
      </text>
      <line x1="186" y1="486" x2="1032" y2="486" className="stroke-line" />
      <text x="186" y="511" className="fill-ink font-semibold">
        Ledger
      </text>
      <text x="250" y="511" className="fill-ink-2 font-mono text-2xs">
        wallet −0.003625600 = usage +0.003625600
      </text>
      <text x="1032" y="511" textAnchor="end" className="fill-ink-2">
        double-entry, only ever added to
      </text>
    </g>
  );
}
