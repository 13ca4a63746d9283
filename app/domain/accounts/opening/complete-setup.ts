import type { Db } from "~/connection/db.server";
import { acceptLegal } from "../legal";
import { newToken, tokenHash } from "../links/one-time-token";
import { requireStrongPassword } from "../passwords/new-password";
import { hashPassword } from "../passwords/password";
import type { SetupForm } from "../shared";
import { endSetupTokens, insertSetupToken, isSetupTokenUsable, redeemSetupToken } from "./store";

const VALID_FOR_SECONDS = 24 * 3600;

type SetupOutcome = { kind: "ready"; userId: number } | { kind: "linkNotUsable" } | { kind: "emailTaken" };

/**
 * Creates a set-up link for a user without a password, valid for a day. The user's earlier links end. Returns the
 * link's token, which is not stored.
 */
export async function issueSetupToken(db: Db, userId: number): Promise<string> {
  const token = newToken();
  await endSetupTokens(db, userId);
  await insertSetupToken(db, { tokenHash: tokenHash(token), userId, validForSeconds: VALID_FOR_SECONDS });
  return token;
}

/** Returns whether a set-up link can still be used. */
export function isSetupLinkUsable(db: Db, token: string): Promise<boolean> {
  return isSetupTokenUsable(db, tokenHash(token));
}

/**
 * Sets the address, name and password of the user of a set-up link. The address counts as confirmed and the current
 * terms as accepted. A link works once: of concurrent requests one wins. An address that another account has leaves the
 * link usable.
 * @throws AppError weak_password, which also leaves the link usable.
 */
export async function completeSetup(db: Db, token: string, form: SetupForm, address = ""): Promise<SetupOutcome> {
  // Checked before the expensive hash, so that guessed links cost almost nothing.
  if (!(await isSetupLinkUsable(db, token))) return { kind: "linkNotUsable" };
  const { email, name, password } = form;
  requireStrongPassword(password, email);
  const done = await redeemSetupToken(db, {
    tokenHash: tokenHash(token),
    email,
    name,
    passwordHash: await hashPassword(password),
  });
  if (done === null) return { kind: "linkNotUsable" };
  if (done === "email_taken") return { kind: "emailTaken" };
  await acceptLegal(db, { userId: done.userId, address });
  return { kind: "ready", userId: done.userId };
}
