import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { addressWith } from "~/ui/lists/list-address";
import type { Candidate, CandidateKind } from "./candidates.server";

/**
 * A search field for one object by name. The page's script lists matches in the browser's native list. Without script
 * it is a plain field, and the answer lists the choices if the name is ambiguous.
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
  /** Value if the address has none. */
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

/** Possible matches with an introductory sentence. A link sets `as` and removes the typed `name`. */
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
