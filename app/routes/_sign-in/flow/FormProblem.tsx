import type { RefusedForm } from "~/access/flash.server";

/** What was wrong with the form as a whole; nothing when single fields say it. */
export function FormProblem({ form }: { form: Pick<RefusedForm, "message" | "fields" | "code"> | null }) {
  if (form === null) return null;
  const gentle = form.code === "email_taken" || form.code === "tos_not_accepted";
  const inFields = Object.keys(form.fields).length > 0 && form.code === "validation_error";
  if (inFields) return null;
  return (
    <p role="alert" className={`rounded-lg px-3.5 py-2.5 ${gentle ? "bg-held-soft text-ink" : "bg-bad-soft text-bad"}`}>
      {form.message}
    </p>
  );
}
