import { FormSummary } from "~/ui/PortalForm";

/** What was wrong with a form: as a whole, and with each of its fields. */
export type Problems = { message: string; fields: Readonly<Record<string, string>>; code?: string };

/** What somebody who has done nothing wrong is told. */
const GENTLE: readonly (string | undefined)[] = ["email_taken", "tos_not_accepted"];

/** The summary of a form whose fields have their names as ids: each problem with a link to it, or the one about the whole. */
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
