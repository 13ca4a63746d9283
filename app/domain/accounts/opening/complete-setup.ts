import type { Db } from "~/connection/db.server";
import { acceptLegal } from "../legal";
import { newToken } from "../links/one-time-token";
import { endTokens, findToken, insertToken } from "../links/token-store";
import { requireStrongPassword } from "../passwords/new-password";
import { hashPassword } from "../passwords/password";
import type { SetupForm } from "../shared";
import { redeemSetupToken } from "./store";

const VALID_SECONDS = 24 * 3600;

type SetupOutcome = { kind: "ready"; userId: number } | { kind: "linkNotUsable" } | { kind: "emailTaken" };

/**
 * Creates a set-up link for a user without a password, valid for a day. The user's earlier links end. Returns the
 * link's token, which is not stored.
 */
export async function issueSetupToken(db: Db, userId: number): Promise<string> {
  const token = newToken();
  await endTokens(db, "setup", userId);
  await insertToken(db, { purpose: "setup", token, userId, validSeconds: VALID_SECONDS });
  return token;
}

/** Returns whether a set-up link can still be used. */
export const isSetupLinkUsable = async (db: Db, token: string): Promise<boolean> =>
  (await findToken(db, "setup", token)) !== null;

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
  const done = await redeemSetupToken(db, { token, email, name, passwordHash: await hashPassword(password) });
  if (done === null) return { kind: "linkNotUsable" };
  if (done === "email_taken") return { kind: "emailTaken" };
  await acceptLegal(db, { userId: done.userId, address });
  return { kind: "ready", userId: done.userId };
}
