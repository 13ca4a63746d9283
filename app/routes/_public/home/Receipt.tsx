import { useTranslation } from "react-i18next";
import { moneyText, percentText, wholeText } from "~/ui/format";
import { Gauge } from "~/ui/Gauge";
import type { ExampleReceipt } from "./example-receipt.server";

type Words = Readonly<Record<string, string>>;

/** The cost of one request, line by line: an example with the price of an available model. */
export function Receipt({ receipt: { held, lines, charged }, words }: { receipt: ExampleReceipt; words: Words }) {
  const { i18n } = useTranslation();
  const spent = held > 0n ? Number(charged) / Number(held) : 0;
  return (
    <figure className="panel receipt px-5 py-4">
      <figcaption className="mb-2 flex items-center justify-between gap-3">
        <b className="font-semibold">{words.title}</b>
        <span className="tag bg-accent-soft text-accent">{words.tag}</span>
      </figcaption>
      <dl>
        <Line name={words.held} amount={held} />
        {lines.map(({ part, count, amount }) => (
          <Line key={part} name={`${wholeText(count, i18n.language)} ${words[part]}`} amount={amount} />
        ))}
        <div className="flex justify-between gap-4 py-1.5 font-semibold">
          <dt>{words.charged}</dt>
          <dd className="mono">{moneyText(charged, i18n.language, 9)}</dd>
        </div>
      </dl>
      <div className="mt-3">
        <Gauge spent={spent} held={1 - spent} label={`${words.charged}: ${percentText(spent, i18n.language)}`} />
      </div>
      <p className="mt-2 text-sm text-ink-3">{words.note}</p>
    </figure>
  );
}

function Line({ name, amount }: { name: string | undefined; amount: bigint }) {
  const { i18n } = useTranslation();
  return (
    <div className="flex justify-between gap-4 border-line border-b border-dashed py-1.5">
      <dt>{name}</dt>
      <dd className="mono">{moneyText(amount, i18n.language, 9)}</dd>
    </div>
  );
}
