import type { Db } from "~/db.server";
import { type Addressee, type Circumstances, factsOf, send, validFor } from "./emails.server";

type Told = Addressee & Circumstances & { url: string };

/** The link that finishes a sign-in whose password was right while the account was locked. `resetUrl`: if it was a thief. */
export const sendSignInLink = (db: Db, email: Told & { resetUrl: string; validSeconds: number }): Promise<void> =>
  send(db, "sign_in_link", email, (t) => ({
    subject: t("signInLink.subject", { brand: email.brand }),
    paragraphs: [t("signInLink.text", { brand: email.brand }), factsOf(t, email)],
    action: t("signInLink.action"),
    notes: [validFor(t, email.validSeconds), t("signInLink.advice", { url: email.resetUrl })],
  }));

/** Tells somebody that their password was changed, or their first one set, and that all other browsers are signed out. */
export const sendPasswordChanged = (db: Db, email: Told & { first: boolean }): Promise<void> =>
  send(db, "password_changed", email, (t) => ({
    subject: t(email.first ? "passwordSet.subject" : "passwordChanged.subject", { brand: email.brand }),
    paragraphs: [
      t(email.first ? "passwordSet.text" : "passwordChanged.text", { brand: email.brand }),
      factsOf(t, email),
      t("passwordChanged.advice"),
    ],
    action: t("passwordChanged.action"),
  }));

/** Tells somebody that an identity at a provider opens their account from now on. */
export const sendProviderLinked = (db: Db, email: Told & { provider: string; identity: string }): Promise<void> =>
  send(db, "provider_linked", email, (t) => ({
    subject: t("linked.subject", { provider: email.provider, brand: email.brand }),
    paragraphs: [
      t("linked.text", { provider: email.provider, identity: email.identity, brand: email.brand }),
      factsOf(t, email),
      t("linked.advice"),
    ],
    action: t("linked.action"),
  }));

/** Tells somebody that an administrator has given them another role. Roles are named in the email's language. */
export const sendRoleChanged = (
  db: Db,
  email: Addressee & { url: string; at: Date; by: string; before: string; after: string },
): Promise<void> =>
  send(db, "role_changed", email, (t) => ({
    subject: t("role.subject", { brand: email.brand }),
    paragraphs: [
      t("role.text", { by: email.by, before: email.before, after: email.after, brand: email.brand }),
      factsOf(t, email),
      t("role.advice"),
    ],
    action: t("role.action"),
  }));

/** Tells an owner that somebody runs the installation from now on, or is invited to. */
export const sendRoleGranted = (
  db: Db,
  email: Told & { by: string; person: string; role: string; invited: boolean },
): Promise<void> =>
  send(db, "role_granted", email, (t) => {
    const { by, person, role, brand } = email;
    return {
      subject: t("granted.subject", { role, brand }),
      paragraphs: [
        t(email.invited ? "granted.invited" : "granted.text", { by, person, role }),
        factsOf(t, email),
        t("granted.advice"),
      ],
      action: t("granted.action"),
    };
  });

/** Tells an administrator of an organisation that it has another admin key, or that one has a new secret. */
export const sendAdminKey = (
  db: Db,
  email: Told & { by: string; key: string; organisation: string; rotated: boolean },
): Promise<void> =>
  send(db, "admin_key", email, (t) => {
    const { by, key, organisation } = email;
    return {
      subject: t("adminKey.subject", { organisation }),
      paragraphs: [
        t(email.rotated ? "adminKey.rotated" : "adminKey.text", { by, key, organisation }),
        factsOf(t, email),
        t("adminKey.advice"),
      ],
      action: t("adminKey.action"),
    };
  });
