import { Fragment } from "react";
import { RETRY_ADVICE } from "~/errors/catalogue-entry";
import { CopyButton } from "~/ui/CopyButton";
import type { ListedCode, ListedGroup } from "./find-codes.server";
import { RETRY_LABELS } from "./retry-labels";

/** One group of codes with the action that they require. */
export function CodeList({ group }: { group: ListedGroup }) {
  return (
    <section
      data-filter-section
      hidden={!group.entries.some((entry) => entry.matches)}
      aria-labelledby={`group-${group.id}`}
      className="pt-12"
    >
      <h2 id={`group-${group.id}`} className="text-3xl">
        {group.title} <span className="font-normal text-ink-3 tabular-nums">{group.entries.length}</span>
      </h2>
      <p className="mt-1 mb-4 max-w-[48em] text-ink-2">{group.action}</p>
      <div className="panel divide-y divide-line">
        {group.entries.map((entry) => (
          <CodeRow key={entry.code} entry={entry} />
        ))}
      </div>
    </section>
  );
}

function CodeRow({ entry }: { entry: ListedCode }) {
  const { words, look } = RETRY_LABELS[entry.retry];
  return (
    <article
      id={entry.code}
      data-filter-entry
      hidden={!entry.matches}
      className="code-row grid gap-x-6 gap-y-1 px-4 py-3 lg:grid-cols-[minmax(0,19rem)_minmax(0,1fr)_13rem]"
    >
      <h3 className="min-w-0 tracking-normal">
        <a href={`#${entry.code}`} className="mono break-words font-strong hover:text-accent">
          {breakable(entry.code)}
        </a>{" "}
        <CopyButton of={entry.code} what={entry.code} />
      </h3>
      <div className="text-ink-2">
        <p>{entry.humanMessage}</p>
        {entry.reserved === null ? null : <p className="text-sm text-ink-3">Reserved. {entry.reserved}</p>}
      </div>
      <p className="flex flex-wrap content-start items-center gap-x-2 gap-y-1 text-sm text-ink-3">
        <span className="mono text-ink">{entry.status}</span>
        <span className="mono">{entry.type}</span>
        <span className={`tag ${look}`} title={RETRY_ADVICE[entry.retry]}>
          {words}
          {entry.retryAfterSeconds === null ? "" : `, ${duration(entry.retryAfterSeconds)}`}
        </span>
      </p>
    </article>
  );
}

/** Long codes break after an underscore on narrow screens. */
function breakable(code: string) {
  const parts = code.split(/(?<=_)/);
  return parts.map((part, position) => (
    <Fragment key={parts.slice(0, position + 1).join("")}>
      {part}
      <wbr />
    </Fragment>
  ));
}

const duration = (seconds: number) => (seconds >= 3600 ? `${seconds / 3600} h` : `${seconds} s`);
