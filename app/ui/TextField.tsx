import type { InputHTMLAttributes, ReactNode } from "react";

type Props = InputHTMLAttributes<HTMLInputElement> & {
  label: string;
  name: string;
  hint?: ReactNode;
  problem?: string;
};

/** A labelled field with an optional hint; its problem is announced with it. */
export function TextField({ label, name, hint, problem, ...input }: Props) {
  const id = input.id ?? name;
  const about = [hint ? `${id}-hint` : "", problem ? `${id}-problem` : ""].filter(Boolean).join(" ");
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="font-strong">
        {label}
      </label>
      <input
        {...input}
        id={id}
        name={name}
        aria-invalid={problem ? true : undefined}
        aria-describedby={about || undefined}
        className="field"
      />
      {hint ? (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      ) : null}
      {problem ? (
        <p id={`${id}-problem`} className="field-problem">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
