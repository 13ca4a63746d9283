import { FormSummary } from "~/ui/forms/PortalForm";

/** The errors of a form: one for the whole form, and one for each field. */
export type Problems = { message: string; fields: Readonly<Record<string, string>>; code?: string };

/** Codes of messages that are not the user's mistake. */
const GENTLE: readonly (string | undefined)[] = ["email_taken", "tos_not_accepted"];

/**
 * The error summary of a form whose field ids equal the field names: each field error with a link, or the form's error.
 */
export function FormProblem({ form }: { form: Problems | null }) {
  if (form === null) return null;
  const entries = Object.entries(form.fields).map(([name, text]) => ({
    name,
    href: `#${name}` as const,
    label: "",
    text,
  }));
  const problem = entries.length > 0 ? null : form.message;
  return <FormSummary form={{ summary: { problem, entries }, gentle: GENTLE.includes(form.code) }} />;
}
