import type { TFunction } from "i18next";
import type { Db } from "~/connection/db.server";
import type { Language } from "~/i18n/languages";
import { i18nFor } from "~/i18n/server.server";
import { type EmailParts, writeEmail } from "./email";
import { post } from "./outbox.server";

type T = TFunction<"mail">;
type EmailText = Pick<EmailParts, "subject" | "paragraphs"> & { action?: string; notes?: readonly string[] };

/** Recipient of an email, its language, and the brand of the portal ("gw", or a reseller's name). */
export type Addressee = { to: string; name?: string; language: Language; brand: string };

/** Time, network address and browser of an action. */
export type Circumstances = { at: Date; address: string; browser: string };

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** Asks a new user to confirm their address. `db`: the transaction of the sign-up. */
export const sendVerification = (db: Db, email: Addressee & { url: string; validSeconds: number }): Promise<void> =>
  send(db, "verify", email, (t) => ({
    subject: t("verify.subject", { brand: email.brand }),
    paragraphs: [t("verify.text", { brand: email.brand, email: email.to })],
    action: t("verify.action"),
    notes: [validFor(t, email.validSeconds), t("ignoreSignUp")],
  }));

/** Tells the owner of an account about an attempt to sign up with its address. */
export const sendAccountExists = (db: Db, email: Addressee & { url: string }): Promise<void> =>
  send(db, "account_exists", email, (t) => ({
    subject: t("exists.subject", { brand: email.brand }),
    paragraphs: [t("exists.text", { brand: email.brand }), t("exists.forgotten")],
    action: t("exists.action"),
    notes: [t("ignore")],
  }));

/** Sends the link for choosing a new password. */
export const sendReset = (db: Db, email: Addressee & { url: string; validSeconds: number }): Promise<void> =>
  send(db, "reset", email, (t) => ({
    subject: t("reset.subject", { brand: email.brand }),
    paragraphs: [t("reset.text", { brand: email.brand })],
    action: t("reset.action"),
    notes: [validFor(t, email.validSeconds), t("ignoreReset")],
  }));

/** Reminds a user without a password which provider they sign in with. */
export const sendProviderReminder = (db: Db, email: Addressee & { url: string; provider: string }): Promise<void> =>
  send(db, "provider_reminder", email, (t) => ({
    subject: t("provider.subject", { brand: email.brand }),
    paragraphs: [t("provider.text", { brand: email.brand, provider: email.provider })],
    action: t("provider.action"),
    notes: [t("ignore")],
  }));

/** Sends an invitation to an organisation. `role` is the role's name in the email's language. */
export const sendInvite = (
  db: Db,
  email: Addressee & { url: string; organisation: string; invitedBy: string; role: string; validSeconds: number },
): Promise<void> =>
  send(db, "invite", email, (t) => ({
    subject: t("invite.subject", { organisation: email.organisation, brand: email.brand }),
    paragraphs: [
      t("invite.text", { invitedBy: email.invitedBy, organisation: email.organisation, brand: email.brand }),
      t("invite.role", { role: email.role }),
    ],
    action: t("invite.action"),
    notes: [validFor(t, email.validSeconds), t("ignoreInvite")],
  }));

/** Tells a user about a sign-in with a new browser. */
export const sendNewSignIn = (db: Db, email: Addressee & Circumstances & { url: string }): Promise<void> =>
  send(db, "new_sign_in", email, (t) => ({
    subject: t("newSignIn.subject", { brand: email.brand }),
    paragraphs: [t("newSignIn.text", { brand: email.brand }), factsOf(t, email), t("newSignIn.advice")],
    action: t("newSignIn.action"),
  }));

/** Returns the line with the time of an action, and its origin where the email includes it. */
export function factsOf(t: T, email: Addressee & { at: Date } & Partial<Circumstances>): string {
  const { address, browser } = email;
  const at = momentIn(email.language, email.at);
  return address === undefined || browser === undefined ? at : t("newSignIn.facts", { at, address, browser });
}

/**
 * Asks a user whether their wallet shall pay for all members of their organisation. `asker`: the person who nominated
 * them.
 */
export const sendPayerNomination = (
  db: Db,
  email: Addressee & { url: string; organisation: string; asker: string },
): Promise<void> =>
  send(db, "payer_nomination", email, (t) => ({
    subject: t("payerNomination.subject", { organisation: email.organisation }),
    paragraphs: [
      t("payerNomination.text", { asker: email.asker, organisation: email.organisation }),
      t("payerNomination.meaning"),
    ],
    action: t("payerNomination.action"),
    notes: [t("payerNomination.until")],
  }));

/** Writes an email and puts it into the outbox. */
export function send(
  db: Db,
  kind: string,
  email: Addressee & { url: string; validSeconds?: number },
  write: (t: T) => EmailText,
): Promise<void> {
  const { to, name, language, brand, url } = email;
  const t = i18nFor(language).getFixedT(language, "mail");
  const { subject, paragraphs, action, notes = [] } = write(t);
  return post(db, {
    kind,
    to,
    usefulSeconds: email.validSeconds ?? null,
    letter: writeEmail({
      language,
      subject,
      brand,
      greeting: name ? t("greeting", { name }) : t("greetingPlain"),
      paragraphs,
      action: action ? { label: action, url, otherwise: t("otherwise") } : undefined,
      notes,
    }),
  });
}

/** Returns the text for how long a link is valid. */
export function validFor(t: T, seconds: number): string {
  if (seconds >= 2 * DAY) return t("validDays", { count: Math.round(seconds / DAY) });
  if (seconds >= 2 * HOUR) return t("validHours", { count: Math.round(seconds / HOUR) });
  return t("validMinutes", { count: Math.round(seconds / MINUTE) });
}

/** Formats a time in UTC in a language. */
export const momentIn = (language: Language, at: Date): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "long", timeZone: "UTC" }).format(at);
