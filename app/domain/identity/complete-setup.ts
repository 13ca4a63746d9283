import type { Db } from "~/db.server";
import { acceptLegal } from "./legal";
import { requireStrongPassword } from "./new-password";
import { newToken, tokenHash } from "./one-time-token";
import { hashPassword } from "./password";
import type { SetupForm } from "./shared";
import { endSetupTokens, insertSetupToken, isSetupTokenUsable, redeemSetupToken } from "./store";

const VALID_FOR_SECONDS = 24 * 3600;

type SetupOutcome = { kind: "ready"; userId: number } | { kind: "linkNotUsable" } | { kind: "emailTaken" };

/**
 * Makes the set-up link of a user who has no password yet, valid for a day; earlier links of that user end.
 * Returns the token of the link, which is kept nowhere.
 */
export async function issueSetupToken(db: Db, userId: number): Promise<string> {
  const token = newToken();
  await endSetupTokens(db, userId);
  await insertSetupToken(db, { tokenHash: tokenHash(token), userId, validForSeconds: VALID_FOR_SECONDS });
  return token;
}

/** Whether a set-up link can still be used. */
export function isSetupLinkUsable(db: Db, token: string): Promise<boolean> {
  return isSetupTokenUsable(db, tokenHash(token));
}

/**
 * Gives the user of a set-up link an address, a name and a password; the address counts as confirmed and the terms in force
 * as accepted. A link works once, whoever is first; an address that somebody else has leaves the link usable.
 * @throws AppError weak_password, which leaves the link usable too.
 */
export async function completeSetup(db: Db, token: string, form: SetupForm, address = ""): Promise<SetupOutcome> {
  // Asked before the expensive hash, so that guessed links cost next to nothing.
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
