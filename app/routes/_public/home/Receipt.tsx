import { Gauge } from "~/ui/Gauge";

const LINES = [
  ["Held before dispatch", "$0.038400000"],
  ["572 fresh in × 0.80", "0.000457600"],
  ["640 cached in × 0.10", "0.000064000"],
  ["388 out × 8.00", "0.003104000"],
] as const;

/** What one request costs, line by line. An example, with prices in dollars per million tokens. */
export function Receipt() {
  return (
    <figure className="panel receipt px-5 py-4">
      <figcaption className="mb-2 flex items-center justify-between gap-3">
        <b className="font-semibold">A streamed answer, settled</b>
        <span className="tag bg-accent-soft text-accent">example</span>
      </figcaption>
      <dl>
        {LINES.map(([name, amount]) => (
          <div key={name} className="flex justify-between gap-4 border-line border-b border-dashed py-1.5">
            <dt>{name}</dt>
            <dd className="mono">{amount}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 py-1.5 font-semibold">
          <dt>Charged</dt>
          <dd className="mono">$0.003625600</dd>
        </div>
      </dl>
      <div className="mt-3">
        <Gauge spent={0.094} held={0.906} label="9.4 % of what was held is charged, the rest is free again" />
      </div>
      <p className="mt-2 text-sm text-ink-3">What was held and not used is free again the moment the stream ends.</p>
    </figure>
  );
}
