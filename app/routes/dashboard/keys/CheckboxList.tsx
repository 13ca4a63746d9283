import type { ReactNode } from "react";
import type { FormValues } from "~/ui/forms/portal-form";

/** A choice of several options by checkboxes. A long list scrolls inside its frame. */
export function CheckboxList({
  id,
  legend,
  hint,
  prefix,
  entries,
  values,
  problem,
  children,
}: {
  id: string;
  legend: string;
  hint: string;
  prefix: string;
  entries: readonly { value: string; note?: string }[];
  values: FormValues;
  problem?: string;
  children?: ReactNode;
}) {
  const about = problem ? `${id}-hint ${id}-problem` : `${id}-hint`;
  return (
    <fieldset id={id} tabIndex={-1} className="grid min-w-0 gap-2" aria-describedby={about}>
      <legend className="mb-1.5 font-strong">{legend}</legend>
      <p id={`${id}-hint`} className="field-hint">
        {hint}
      </p>
      <ul className="grid max-h-60 gap-x-6 gap-y-1.5 overflow-y-auto rounded-lg border border-line bg-sunken/50 p-3 sm:grid-cols-2">
        {entries.map(({ value, note }) => (
          <li key={value} className="flex min-w-0 items-center gap-2.5">
            <input
              type="checkbox"
              id={prefix + value}
              name={prefix + value}
              defaultChecked={values[prefix + value] !== undefined}
              className="check"
            />
            <label htmlFor={prefix + value} className="flex min-w-0 items-baseline gap-2">
              <span className="mono truncate">{value}</span>
              {note ? <span className="text-2xs text-ink-3">{note}</span> : null}
            </label>
          </li>
        ))}
      </ul>
      {children}
      {problem ? (
        <p id={`${id}-problem`} className="field-problem">
          {problem}
        </p>
      ) : null}
    </fieldset>
  );
}
