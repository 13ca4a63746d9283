import type { Db } from "~/db.server";
import { isLanguage, LANGUAGES } from "~/i18n/languages";
import { send } from "./emails.server";

/** How much is new: events that could not be applied, payments that were credited otherwise than asked, auto top-ups that were paused. */
export type PaymentProblems = { events: number; mismatches: number; pauses: number };

type Person = { email: string; name: string; language: string | null };

/** Tells somebody who runs the installation what needs their attention. `db`: the transaction that marks it as told. */
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
    paragraphs: (["events", "mismatches", "pauses"] as const)
      .filter((kind) => problems[kind] > 0)
      .map((kind) => t(`paymentProblems.${kind}`, { count: problems[kind] })),
    action: t("paymentProblems.action"),
    notes: [t("paymentProblems.why")],
  }));
}
