import { useTranslation } from "react-i18next";

/** What was wrong with a form: as a whole, and with each of its fields. */
export type Problems = { message: string; fields: Readonly<Record<string, string>>; code?: string };

/** What was wrong with a form: each field with a link to it, or the one sentence about the whole. */
export function FormProblem({ form }: { form: Problems | null }) {
  const { t } = useTranslation("problems");
  if (form === null) return null;
  const wrong = Object.entries(form.fields);
  const gentle = form.code === "email_taken" || form.code === "tos_not_accepted";
  return (
    <div
      role="alert"
      className={`rounded-lg px-3.5 py-2.5 ${gentle ? "bg-held-soft text-ink" : "bg-bad-soft text-bad"}`}
    >
      <p>{wrong.length > 0 ? t("validationError") : form.message}</p>
      {wrong.length > 0 ? (
        <ul className="mt-1 list-disc pl-5">
          {wrong.map(([name, text]) => (
            <li key={name}>
              <a href={`#${name}`} className="underline">
                {text}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
