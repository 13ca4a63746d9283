import type { Db } from "~/db.server";
import { type Addressee, type Circumstances, factsOf, send, validFor } from "./letters.server";

type Told = Addressee & Circumstances & { url: string };

/** The link that finishes a sign-in whose password was right while the account was locked. `resetUrl`: if it was a thief. */
export const sendSignInLink = (db: Db, letter: Told & { resetUrl: string; validSeconds: number }): Promise<void> =>
  send(db, "sign_in_link", letter, (t) => ({
    subject: t("signInLink.subject", { brand: letter.brand }),
    paragraphs: [t("signInLink.text", { brand: letter.brand }), factsOf(t, letter)],
    action: t("signInLink.action"),
    notes: [validFor(t, letter.validSeconds), t("signInLink.advice", { url: letter.resetUrl })],
  }));

/** Tells somebody that their password was changed, or their first one set, and that all other browsers are signed out. */
export const sendPasswordChanged = (db: Db, letter: Told & { first: boolean }): Promise<void> =>
  send(db, "password_changed", letter, (t) => ({
    subject: t(letter.first ? "passwordSet.subject" : "passwordChanged.subject", { brand: letter.brand }),
    paragraphs: [
      t(letter.first ? "passwordSet.text" : "passwordChanged.text", { brand: letter.brand }),
      factsOf(t, letter),
      t("passwordChanged.advice"),
    ],
    action: t("passwordChanged.action"),
  }));

/** Tells somebody that an identity at a provider opens their account from now on. */
export const sendProviderLinked = (db: Db, letter: Told & { provider: string; identity: string }): Promise<void> =>
  send(db, "provider_linked", letter, (t) => ({
    subject: t("linked.subject", { provider: letter.provider, brand: letter.brand }),
    paragraphs: [
      t("linked.text", { provider: letter.provider, identity: letter.identity, brand: letter.brand }),
      factsOf(t, letter),
      t("linked.advice"),
    ],
    action: t("linked.action"),
  }));

/** Tells somebody that an administrator has given them another role. Roles are named in the letter's language. */
export const sendRoleChanged = (
  db: Db,
  letter: Addressee & { url: string; at: Date; by: string; before: string; after: string },
): Promise<void> =>
  send(db, "role_changed", letter, (t) => ({
    subject: t("role.subject", { brand: letter.brand }),
    paragraphs: [
      t("role.text", { by: letter.by, before: letter.before, after: letter.after, brand: letter.brand }),
      factsOf(t, letter),
      t("role.advice"),
    ],
    action: t("role.action"),
  }));

/** Tells an owner that somebody runs the installation from now on, or is invited to. */
export const sendRoleGranted = (
  db: Db,
  letter: Told & { by: string; person: string; role: string; invited: boolean },
): Promise<void> =>
  send(db, "role_granted", letter, (t) => {
    const { by, person, role, brand } = letter;
    return {
      subject: t("granted.subject", { role, brand }),
      paragraphs: [
        t(letter.invited ? "granted.invited" : "granted.text", { by, person, role }),
        factsOf(t, letter),
        t("granted.advice"),
      ],
      action: t("granted.action"),
    };
  });

/** Tells an administrator of an organisation that it has another admin key, or that one has a new secret. */
export const sendAdminKey = (
  db: Db,
  letter: Told & { by: string; key: string; organisation: string; rotated: boolean },
): Promise<void> =>
  send(db, "admin_key", letter, (t) => {
    const { by, key, organisation } = letter;
    return {
      subject: t("adminKey.subject", { organisation }),
      paragraphs: [
        t(letter.rotated ? "adminKey.rotated" : "adminKey.text", { by, key, organisation }),
        factsOf(t, letter),
        t("adminKey.advice"),
      ],
      action: t("adminKey.action"),
    };
  });
