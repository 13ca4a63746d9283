import type { Db } from "~/connection/db.server";
import { isLanguage, LANGUAGES } from "~/i18n/languages";
import { send } from "./emails.server";

type Person = { email: string; name: string; language: string | null };

/**
 * Emails that a scheduled report is ready or has failed. `db`: the transaction that ends the run. `url`: the file, or
 * the page.
 */
export function sendReportEmail(
  db: Db,
  person: Person,
  facts: { status: "done" | "failed"; report: string; rows: number; url: string; brand: string },
): Promise<void> {
  const language = isLanguage(person.language) ? person.language : LANGUAGES[0];
  const { status, report, rows, url, brand } = facts;
  const to = { to: person.email, name: person.name, language, brand, url };
  const text = status === "done" ? "reportReady" : "reportFailed";
  return send(db, "scheduled_report", to, (t) => ({
    subject: t(`${text}.subject`, { report }),
    paragraphs: [t(`${text}.text`, { report, count: rows })],
    action: t(`${text}.action`),
    notes: [t("reportReady.why")],
  }));
}
