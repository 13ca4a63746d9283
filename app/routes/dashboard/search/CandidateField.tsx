import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { addressWith } from "~/ui/list-address";
import type { Candidate, CandidateKind } from "./candidates.server";

/**
 * Asks for one of a kind by its name. Without script it is a plain field, and where several are meant one is chosen from the page that
 * answers; the page's script offers them while one types, in the browser's own list.
 */
export function CandidateField({
  kind,
  name,
  label,
  hint = label,
  value = "",
}: {
  kind: CandidateKind;
  name: string;
  label: string;
  hint?: string;
  /** What it holds where the address has nothing for it. */
  value?: string;
}) {
  const [query] = useSearchParams();
  const typed = query.get(name) ?? value;
  return (
    <>
      <input
        key={typed}
        type="search"
        name={name}
        list={`${kind}-found`}
        aria-label={label}
        title={hint}
        placeholder={hint}
        defaultValue={typed}
        maxLength={200}
        autoComplete="off"
        data-offer={`/dashboard/search?kind=${kind}&q=`}
        className="field field-small sm:w-56"
      />
      <datalist id={`${kind}-found`} />
    </>
  );
}

/** Those that can be meant, and a sentence about them. A link narrows the page by `as` instead of what was typed into `name`. */
export function CandidateChoices({
  of: candidates,
  name,
  as,
  children,
}: {
  of: readonly Candidate[];
  name: string;
  as: string;
  children: ReactNode;
}) {
  const [query] = useSearchParams();
  return (
    <div role="status" className="mb-4">
      <p className="text-ink-2">{children}</p>
      <ul className="mt-1.5 flex flex-wrap gap-2">
        {candidates.map(({ id, name: called, detail }) => (
          <li key={id}>
            <Link
              to={addressWith(query, { [name]: null, [as]: String(id), after: null })}
              className="button button-small [overflow-wrap:anywhere]"
            >
              {called} {detail === called ? null : <span className="text-ink-3">{detail}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
