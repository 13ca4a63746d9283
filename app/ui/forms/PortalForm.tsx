import type { FormHTMLAttributes, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "../class-names";
import { InPageLink } from "../InPageLink";
import type { PortalFormState, SummaryEntry } from "./portal-form";

type AnyForm = Pick<PortalFormState, "props" | "intent" | "summary" | "restored">;

/** The errors of a form. `gentle`: the user made no mistake. */
type Summarised = {
  summary: { problem: string | null; entries: readonly SummaryEntry[] };
  restored?: boolean;
  gentle?: boolean;
};

/** A form of `usePortalForm`. `summary={false}`: the page places `FormSummary` itself. */
export function PortalForm({
  form,
  summary = true,
  children,
  ...rest
}: FormHTMLAttributes<HTMLFormElement> & { form: AnyForm; summary?: boolean; children: ReactNode }) {
  return (
    <form {...rest} {...form.props}>
      {form.intent === undefined ? null : <input type="hidden" name="intent" value={form.intent} />}
      {summary ? <FormSummary form={form} /> : null}
      {children}
    </form>
  );
}

/**
 * The errors of a form, each linked to its field; or a notice that the form holds the values from before the sign-in.
 */
export function FormSummary({ form: { summary, restored, gentle } }: { form: Summarised }) {
  const { t } = useTranslation("ui");
  const { problem, entries } = summary;
  if (problem === null && entries.length === 0) {
    return restored ? (
      <p role="status" className="rounded-lg bg-held-soft px-3.5 py-2.5 text-held-ink">
        {t("form.restored")}
      </p>
    ) : null;
  }
  return (
    <div
      role="alert"
      className={classNames(
        "grid gap-1.5 rounded-lg px-3.5 py-2.5",
        gentle ? "bg-held-soft text-ink" : "border border-bad/40 bg-bad-soft text-bad",
      )}
    >
      <p className="font-strong">{problem ?? t("form.problem")}</p>
      {entries.length === 0 ? null : (
        <ul className="grid list-disc gap-1 pl-5">
          {entries.map(({ name, href, label, text }) => (
            <li key={name}>
              {href === null ? (
                text
              ) : (
                <InPageLink href={href} className="underline underline-offset-2">
                  {label === "" ? text : t("form.line", { label, text })}
                </InPageLink>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
