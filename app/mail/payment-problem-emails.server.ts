import type { Db } from "~/connection/db.server";
import { isLanguage, LANGUAGES } from "~/i18n/languages";
import { send } from "./emails.server";

/**
 * Numbers of new incidents: events that could not be applied, payments credited with another amount than requested,
 * paused auto top-ups, and errors of the connection to the processor.
 */
export type PaymentProblems = { events: number; mismatches: number; pauses: number; connection: number };

type Person = { email: string; name: string; language: string | null };

/** Emails an operator about payment incidents. `db`: the transaction that marks them as reported. */
export function sendPaymentProblems(
  db: Db,
  person: Person,
  problems: PaymentProblems & { url: string; brand: string },
): Promise<void> {
  const language = isLanguage(person.language) ? person.language : LANGUAGES[0];
  const { url, brand } = problems;
  const to = { to: person.email, name: person.name, language, brand, url };
  return send(db, "payment_problems", to, (t) => ({
    subject: t("paymentProblems.subject"),
    paragraphs: (["connection", "events", "mismatches", "pauses"] as const)
      .filter((kind) => problems[kind] > 0)
      .map((kind) => t(`paymentProblems.${kind}`, { count: problems[kind] })),
    action: t("paymentProblems.action"),
    notes: [t("paymentProblems.why")],
  }));
}
