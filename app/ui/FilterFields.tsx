import { useSearchParams } from "react-router";

export type Choice = readonly [value: string, text: string];

/** One filter of a list: the browser's own list, whose first entry takes the filter away. */
export function FilterSelect({
  name,
  label,
  first,
  options,
}: {
  name: string;
  label: string;
  first: string;
  options: readonly Choice[];
}) {
  const [query] = useSearchParams();
  const value = query.get(name) ?? "";
  return (
    <select
      key={`${name}-${value}`}
      name={name}
      aria-label={label}
      defaultValue={value}
      className="field field-select field-small sm:w-auto"
    >
      <option value="">{first}</option>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A text to look for, or a date. */
export function FilterInput({
  name,
  label,
  type = "search",
  wide,
  list,
}: {
  name: string;
  label: string;
  type?: "search" | "text" | "date";
  wide?: boolean;
  /** The id of a list of values that the browser offers. */
  list?: string;
}) {
  const [query] = useSearchParams();
  const value = query.get(name) ?? "";
  const input = (
    <input
      key={`${name}-${value}`}
      type={type}
      name={name}
      list={list}
      aria-label={label}
      title={label}
      placeholder={label}
      defaultValue={value}
      className={wide ? "field field-small sm:w-64" : "field field-small sm:w-44"}
    />
  );
  // An empty date shows the pattern of dates and not what it is for.
  if (type !== "date") return input;
  return (
    <span className="flex items-center gap-2 text-ink-2">
      <span aria-hidden="true">{label}</span>
      {input}
    </span>
  );
}
