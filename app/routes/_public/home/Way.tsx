import type { Section } from "~/content/shared";
import { Blocks, Inlines } from "../parts/Blocks";
import { factsOf } from "../parts/ContentBlocks";

/** Bar above each stage: money is held at the third stage and charged at the last. */
const BARS = ["bg-line-strong", "bg-line-strong", "hatch", "bg-line-strong", "bg-line-strong", "bg-accent"];

/** The stages of a request, as text. */
export function Way({ section: { id, title, blocks } }: { section: Section }) {
  return (
    <section className="mt-16 border-line border-t pt-8" aria-labelledby={id}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id={id} className="text-5xl">
          {title}
        </h2>
        <Blocks blocks={blocks.filter(({ kind }) => kind === "paragraph")} />
      </div>
      <ol className="mt-6 grid gap-x-6 gap-y-6 sm:grid-cols-2 lg:grid-cols-6">
        {blocks
          .flatMap((block) => factsOf(block) ?? [])
          .map(({ name, text }, index) => (
            <li key={name}>
              <span aria-hidden="true" className={`mb-3 block h-[5px] rounded-full ${BARS[index]}`} />
              <h3 className="font-semibold tracking-normal">
                <span className="text-ink-3 tabular-nums">{index + 1}</span> {name}
              </h3>
              <p className="mt-1 text-md text-ink-2">
                <Inlines of={text} />
              </p>
            </li>
          ))}
      </ol>
    </section>
  );
}
