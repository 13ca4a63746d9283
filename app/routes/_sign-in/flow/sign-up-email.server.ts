import type { PortalFace } from "~/access/portal-of.server";
import type { Db } from "~/connection/db.server";
import type { SignUpEmail } from "~/domain/accounts/index.server";
import type { Language } from "~/i18n/languages";
import { sendAccountExists, sendVerification } from "~/mail/emails.server";
import { addressee } from "~/routes/email-facts.server";

/** Queues the email of a sign-up: the confirmation link, or a notice that the account already exists. */
export function sendSignUpEmail(tx: Db, letter: SignUpEmail, portal: PortalFace, language: Language): Promise<void> {
  const to = addressee(portal, letter, language);
  if (letter.kind === "exists") return sendAccountExists(tx, { ...to, url: `${portal.origin}/login` });
  const url = `${portal.origin}/verify-email?token=${letter.token}`;
  return sendVerification(tx, { ...to, url, validSeconds: letter.validSeconds });
}
