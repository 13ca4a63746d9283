const FIELDS = ["name", "address", "country", "email"] as const;

type OperatorFacts = Readonly<Record<(typeof FIELDS)[number], string | null>>;

/** The operator of the installation. `words`: labels of the four fields, and the text for a `missing` one. */
export function Operator({ operator, words }: { operator: OperatorFacts; words: Readonly<Record<string, string>> }) {
  return (
    <dl className="panel max-w-text divide-y divide-line">
      {FIELDS.map((field) => (
        <div key={field} className="grid gap-x-8 px-5 py-3.5 sm:grid-cols-term">
          <dt className="text-ink-3">{words[field]}</dt>
          <dd className="break-words font-strong">
            {operator[field] === null ? (
              <span className="font-normal text-ink-3">{words.missing}</span>
            ) : field === "email" ? (
              <a href={`mailto:${operator[field]}`} className="link">
                {operator[field]}
              </a>
            ) : (
              operator[field]
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
