import type { Db } from "~/connection/db.server";
import { isLanguage, LANGUAGES, type Language } from "~/i18n/languages";
import { send } from "./emails.server";

/** Contents of a billing notice. Amounts are nano-USD as text, months such as `2026-11`. */
type Notice =
  | { kind: "topup_limit"; facts: { limit: "day" | "month"; amount: string; payer: string } }
  | { kind: "card_expires"; facts: { card: string; month: string } }
  | { kind: "paid_for"; facts: { person: string } }
  /** `pays`: the recipient was the payer. */
  | { kind: "payer_ended"; facts: { person: string; pays: boolean } };

type Person = { email: string; name: string; language: string | null };

/**
 * Emails a notice about a limit of auto top-up, a card that expires, or a colleague who pays for the recipient or the
 * reverse. `db`: the transaction that marks the notice as sent.
 */
export function sendBillingNotice(
  db: Db,
  person: Person,
  notice: Notice & { url: string; brand: string },
): Promise<void> {
  const language = isLanguage(person.language) ? person.language : LANGUAGES[0];
  const email = { to: person.email, name: person.name, language, brand: notice.brand, url: notice.url };
  switch (notice.kind) {
    case "topup_limit": {
      const { payer, limit } = notice.facts;
      const amount = BigInt(notice.facts.amount);
      return send(db, notice.kind, email, (t) => ({
        subject: t("topupLimit.subject", { payer }),
        paragraphs: [t(`topupLimit.${limit}`, { payer, amount }), t("topupLimit.advice")],
        action: t("autoTopupDeclined.action"),
        notes: [t("autoTopupDeclined.why")],
      }));
    }
    case "card_expires": {
      const { card } = notice.facts;
      const month = monthIn(language, notice.facts.month);
      return send(db, notice.kind, email, (t) => ({
        subject: t("cardExpires.subject", { card }),
        paragraphs: [t("cardExpires.text", { card, month }), t("cardExpires.advice")],
        action: t("autoTopupDeclined.action"),
      }));
    }
    case "payer_ended": {
      const { person: name, pays } = notice.facts;
      return send(db, notice.kind, email, (t) => ({
        subject: t(pays ? "payerEnded.subjectPayer" : "payerEnded.subject", { person: name }),
        paragraphs: [t("payerEnded.why", { person: name }), t(pays ? "payerEnded.meaningPayer" : "payerEnded.meaning")],
        action: t("payerAccepted.action"),
      }));
    }
    default: {
      const { person: name } = notice.facts;
      return send(db, notice.kind, email, (t) => ({
        subject: t("paidFor.subject", { person: name }),
        paragraphs: [t("paidFor.text", { person: name }), t("payerAccepted.stop")],
        action: t("autoTopupDeclined.action"),
      }));
    }
  }
}

const monthIn = (language: Language, month: string): string =>
  new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01`),
  );
