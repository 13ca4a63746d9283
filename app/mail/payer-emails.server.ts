import type { Db } from "~/connection/db.server";
import { type Addressee, send } from "./emails.server";

type Email = Addressee & { url: string };

/**
 * Asks a user to pay for a colleague, or tells them that a colleague offers to pay for them. `asker`: the colleague.
 */
export const sendPayerQuestion = (
  db: Db,
  { kind, asker, ...email }: Email & { kind: "offer" | "request"; asker: string },
): Promise<void> =>
  send(db, `payer_${kind}`, email, (t) => ({
    subject: kind === "request" ? t("payerRequest.subject", { asker }) : t("payerOffer.subject", { asker }),
    paragraphs:
      kind === "request"
        ? [t("payerRequest.text", { asker }), t("payerRequest.meaning")]
        : [t("payerOffer.text", { asker }), t("payerOffer.meaning")],
    action: t("payerNomination.action"),
    notes: [t("payerNomination.until")],
  }));

/** Tells a user that their wallet pays for a colleague from now on. */
export const sendPayerAccepted = (db: Db, { person, ...email }: Email & { person: string }): Promise<void> =>
  send(db, "payer_accepted", email, (t) => ({
    subject: t("payerAccepted.subject", { person }),
    paragraphs: [t("payerAccepted.text", { person }), t("payerAccepted.stop")],
    action: t("payerAccepted.action"),
  }));
