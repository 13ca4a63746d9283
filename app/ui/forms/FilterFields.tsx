import { useSearchParams } from "react-router";

export type Choice = readonly [value: string, text: string];

/** One filter of a list as a native select; its first option removes the filter. */
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

/** A text to search for, or a date. */
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
  /** The id of a `datalist` with suggested values. */
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
  // An empty date field shows only the date pattern, so the label must be visible.
  if (type !== "date") return input;
  return (
    <span className="flex items-center gap-2 text-ink-2">
      <span aria-hidden="true">{label}</span>
      {input}
    </span>
  );
}
