import type { InputHTMLAttributes } from "react";

type Props = InputHTMLAttributes<HTMLInputElement> & { label: string; name: string; hint?: string; problem?: string };

/** A labelled field with an optional hint; its problem is announced with it. */
export function TextField({ label, name, hint, problem, ...input }: Props) {
  const about = [hint ? `${name}-hint` : "", problem ? `${name}-problem` : ""].filter(Boolean).join(" ");
  return (
    <div className="grid gap-1.5">
      <label htmlFor={name} className="font-[550]">
        {label}
      </label>
      <input
        {...input}
        id={name}
        name={name}
        aria-invalid={problem ? true : undefined}
        aria-describedby={about || undefined}
        className="field"
      />
      {hint ? (
        <p id={`${name}-hint`} className="text-[13.5px] text-ink-3">
          {hint}
        </p>
      ) : null}
      {problem ? (
        <p id={`${name}-problem`} className="text-[13.5px] text-bad">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
