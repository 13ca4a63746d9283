import type { TFunction } from "i18next";
import type { Db } from "~/connection/db.server";
import { isLanguage, LANGUAGES } from "~/i18n/languages";
import { i18nFor } from "~/i18n/server.server";
import { momentIn, send } from "./emails.server";

/** Contents of an email about an automatic charge. The amount is nano-USD and includes the fee. */
export type TopupEmailFacts = {
  tell: "declined" | "confirm" | "paused";
  /** Owner of the wallet. */
  payer: string;
  amountNanoUsd: bigint;
  failure: string | null;
  /** Such as "visa •••• 4242". */
  card: string | null;
  /** URL for confirming the payment. */
  actionUrl: string | null;
  nextAttemptAt: Date | null;
  /** Whether the card is no longer charged. */
  cardRefused: boolean;
  /** Reason of a pause: the event of the payment. */
  reason: "refund" | "dispute" | "inquiry" | "fraud_warning" | null;
};

type Person = { email: string; name: string; language: string | null };

/**
 * Emails that a card was declined, that the bank requires a confirmation, or that automatic charges are paused. `db`:
 * the transaction that marks the event as reported.
 */
export function sendTopupEmail(
  db: Db,
  person: Person,
  facts: TopupEmailFacts & { url: string; brand: string },
): Promise<void> {
  const language = isLanguage(person.language) ? person.language : LANGUAGES[0];
  const { tell, payer, amountNanoUsd: amount, failure, card, actionUrl, nextAttemptAt, url, brand } = facts;
  const to = { to: person.email, name: person.name, language, brand };
  if (tell === "confirm")
    return send(db, "auto_topup_confirm", { ...to, url: actionUrl ?? url }, (t) => ({
      subject: t("autoTopupConfirm.subject", { payer }),
      paragraphs: [t("autoTopupConfirm.text", { payer, amount }), t("autoTopupConfirm.until")],
      action: t("autoTopupConfirm.action"),
      notes: [t("autoTopupDeclined.why")],
    }));
  if (tell === "paused")
    return send(db, "auto_topup_paused", { ...to, url }, (t) => ({
      subject: t("autoTopupPaused.subject", { payer }),
      paragraphs: [t(`autoTopupPaused.${facts.reason ?? "refund"}`, { payer, amount }), t("autoTopupPaused.next")],
      action: t("autoTopupPaused.action"),
      notes: [t("autoTopupDeclined.why")],
    }));
  const reason = reasonIn(language, failure ?? "failed");
  return send(db, "auto_topup_declined", { ...to, url }, (t) => ({
    subject: t("autoTopupDeclined.subject", { payer }),
    paragraphs: [
      t("autoTopupDeclined.text", { payer, amount, card: card ?? "", reason }),
      ...(facts.cardRefused ? [t("autoTopupDeclined.cardRefused")] : nextParagraph(t)),
    ],
    action: t("autoTopupDeclined.action"),
    notes: [t("autoTopupDeclined.why")],
  }));

  function nextParagraph(t: TFunction<"mail">): string[] {
    return nextAttemptAt === null ? [] : [t("autoTopupDeclined.next", { at: momentIn(language, nextAttemptAt) })];
  }
}

function reasonIn(language: (typeof LANGUAGES)[number], code: string): string {
  const t = i18nFor(language).getFixedT(language, "autoTopup");
  switch (code) {
    case "card_declined":
    case "insufficient_funds":
    case "expired_card":
      return t(`failure.${code}`);
    default:
      return t("failure.other", { code });
  }
}
