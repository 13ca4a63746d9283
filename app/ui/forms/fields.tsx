import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from "react";
import { classNames } from "../class-names";

type About = { label: ReactNode; name: string; hint?: ReactNode; problem?: string };

/** A single-line field: text, or any other `input` type of the browser. */
export function TextField({ label, hint, problem, ...input }: InputHTMLAttributes<HTMLInputElement> & About) {
  const id = input.id ?? input.name;
  return (
    <Labelled id={id} label={label} hint={hint} problem={problem}>
      <input {...input} {...aboutOf(id, hint, problem)} id={id} className="field" />
    </Labelled>
  );
}

/** A multi-line text field. */
export function TextArea({ label, hint, problem, ...area }: TextareaHTMLAttributes<HTMLTextAreaElement> & About) {
  const id = area.id ?? area.name;
  return (
    <Labelled id={id} label={label} hint={hint} problem={problem}>
      <textarea rows={4} {...area} {...aboutOf(id, hint, problem)} id={id} className="field" />
    </Labelled>
  );
}

export type Option = { value: string; label: string; disabled?: boolean };

/** A native select box. */
export function SelectField({
  label,
  hint,
  problem,
  options,
  ...select
}: SelectHTMLAttributes<HTMLSelectElement> & About & { options: readonly Option[] }) {
  const id = select.id ?? select.name;
  return (
    <Labelled id={id} label={label} hint={hint} problem={problem}>
      <select {...select} {...aboutOf(id, hint, problem)} id={id} className="field field-select">
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

type CheckProps = Omit<InputHTMLAttributes<HTMLInputElement>, "type"> & About;

export function CheckboxField(props: CheckProps) {
  return <Check {...props} className="check" />;
}

/** A checkbox that looks like a switch. Takes effect when its form is sent. */
export function SwitchField(props: CheckProps) {
  return <Check {...props} role="switch" className="switch" />;
}

function Check({ label, hint, problem, className, ...input }: CheckProps) {
  const id = input.id ?? `${input.name}-${input.value ?? "on"}`;
  return (
    <div className="flex items-start gap-2.5">
      <input {...input} {...aboutOf(id, hint, problem)} type="checkbox" id={id} className={className} />
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <Remarks id={id} hint={hint} problem={problem} />
      </div>
    </div>
  );
}

/** A choice of a few options, all visible. */
export function RadioGroup({
  id,
  label,
  name,
  options,
  defaultValue,
  hint,
  problem,
  inline,
  autoFocus,
}: About & {
  id?: string;
  options: readonly (Option & { hint?: ReactNode })[];
  defaultValue?: string;
  inline?: boolean;
  autoFocus?: boolean;
}) {
  const group = id ?? name;
  return (
    <fieldset id={group} tabIndex={-1} aria-describedby={aboutOf(group, hint, problem)["aria-describedby"]}>
      <legend className="mb-1.5 font-strong">{label}</legend>
      <div className={classNames("flex gap-x-5 gap-y-2", !inline && "flex-col")}>
        {options.map((option, at) => (
          <div key={option.value} className="flex items-start gap-2.5">
            <input
              type="radio"
              id={`${group}-${option.value}`}
              name={name}
              value={option.value}
              disabled={option.disabled}
              defaultChecked={option.value === defaultValue}
              className="check check-round"
              {...(at === 0 ? { autoFocus } : {})}
            />
            <div>
              <label htmlFor={`${group}-${option.value}`}>{option.label}</label>
              {option.hint ? <p className="field-hint">{option.hint}</p> : null}
            </div>
          </div>
        ))}
      </div>
      <Remarks id={group} hint={hint} problem={problem} />
    </fieldset>
  );
}

function Labelled({
  id,
  label,
  hint,
  problem,
  children,
}: {
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  problem?: string;
  children: ReactNode;
}) {
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="font-strong">
        {label}
      </label>
      {children}
      <Remarks id={id} hint={hint} problem={problem} />
    </div>
  );
}

function Remarks({ id, hint, problem }: { id: string; hint?: ReactNode; problem?: string }) {
  return (
    <>
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
    </>
  );
}

function aboutOf(id: string, hint: ReactNode, problem: string | undefined) {
  const about = [hint ? `${id}-hint` : "", problem ? `${id}-problem` : ""].filter(Boolean).join(" ");
  return { "aria-invalid": problem ? (true as const) : undefined, "aria-describedby": about || undefined };
}
