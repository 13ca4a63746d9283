import type { Db } from "~/connection/db.server";
import { type Addressee, type Circumstances, factsOf, send, validFor } from "./emails.server";

type Told = Addressee & Circumstances & { url: string };

/**
 * Sends the link that completes a sign-in with the right password on a locked account. `resetUrl`: to reset the
 * password if the sign-in was not theirs.
 */
export const sendSignInLink = (db: Db, email: Told & { resetUrl: string; validSeconds: number }): Promise<void> =>
  send(db, "sign_in_link", email, (t) => ({
    subject: t("signInLink.subject", { brand: email.brand }),
    paragraphs: [t("signInLink.text", { brand: email.brand }), factsOf(t, email)],
    action: t("signInLink.action"),
    notes: [validFor(t, email.validSeconds), t("signInLink.advice", { url: email.resetUrl })],
  }));

/** Tells a user that their password was changed or first set, and that all other browsers are signed out. */
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

/** Tells a user that an identity at a provider can sign in to their account from now on. */
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

/** Tells a user that an administrator has changed their role. Role names are in the email's language. */
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

/** Tells an owner that a person got a role that administers the installation, or is invited to it. */
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

/** Tells an administrator of an organisation that it has a new admin key, or that one has a new secret. */
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
