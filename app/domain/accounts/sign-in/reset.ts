import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import { type Account, findAccountByEmail, findAccountById, providersOf, writePassword } from "../account-store";
import { emailsProve } from "../address-proof";
import { newToken } from "../links/one-time-token";
import { endTokens, findToken, insertToken, redeemToken } from "../links/token-store";
import { requireStrongPassword } from "../passwords/new-password";
import { hashPassword } from "../passwords/password";
import { deleteSessionsOf } from "../sessions/session-store";
import { deviceOf } from "./known-device";
import { rateLimitEmail, unlockAccount } from "./throttle";

const RESET_SECONDS = 30 * 60;

export type ResetEmail =
  | { kind: "reset"; token: string; validSeconds: number; account: Account }
  /**
   * The account has no password. It signs in with these providers, of which at least one can confirm the person's
   * presence.
   */
  | { kind: "provider"; providers: string[]; account: Account };

/**
 * Accepts a request for a new password and returns the email to send; null: no such account, or it is closed. `marks`:
 * the marks of known devices. `attests`: whether a provider can confirm that a person is present. An account whose
 * providers all cannot gets a password by email, because otherwise it could never pass a recent proof. The caller
 * answers the same in every case. Earlier links of the account end.
 * @throws AppError rate_limit_exceeded
 */
export async function requestReset(
  db: Db,
  wish: { email: string; address: string; marks: readonly string[]; attests: (provider: string) => boolean },
): Promise<ResetEmail | null> {
  const { email, address, marks, attests } = wish;
  const account = await findAccountByEmail(db, email);
  const device = deviceOf(account, marks);
  await rateLimitEmail(db, { account: email, address, own: device && `device:${device}` });
  if (account === null || account.status !== "active") return null;
  const providers = account.passwordHash === null ? await providersOf(db, account.id) : [];
  if (providers.some(attests)) return { kind: "provider", providers, account };
  return resetEmail(db, account);
}

async function resetEmail(db: Db, account: Account): Promise<Extract<ResetEmail, { kind: "reset" }>> {
  const token = newToken();
  await endTokens(db, "reset", account.id);
  await insertToken(db, { purpose: "reset", token, userId: account.id, validSeconds: RESET_SECONDS });
  return { kind: "reset", token, validSeconds: RESET_SECONDS, account };
}

/**
 * Returns the email for an account with an unconfirmed address: a link for a new password, because only that proves
 * that the mailbox and the password belong to one person. Null: no such account. The caller has counted the attempt.
 */
export async function confirmByReset(db: Db, email: string): Promise<Extract<ResetEmail, { kind: "reset" }> | null> {
  const account = await findAccountByEmail(db, email);
  if (account === null || account.status !== "active" || account.verified || !emailsProve()) return null;
  return resetEmail(db, account);
}

/** Returns the address that a reset link is for; null: the link cannot be used. */
export async function findReset(db: Db, token: string): Promise<{ email: string } | null> {
  const stored = await findToken(db, "reset", token);
  const account = stored?.userId == null ? null : await findAccountById(db, stored.userId);
  return account && { email: account.email };
}

/**
 * Sets a new password through a link, once. Every session and every other link of the account ends. The address counts
 * as confirmed if the link was emailed to it. Returns the account.
 * @throws AppError invalid_token, weak_password
 */
export async function resetPassword(
  db: Db,
  reset: { token: string; password: string; address: string },
): Promise<Account> {
  const stored = await findReset(db, reset.token);
  if (stored === null) throw linkNotUsable();
  requireStrongPassword(reset.password, stored.email);
  const passwordHash = await hashPassword(reset.password);
  const account = await inTransaction(db, async (tx) => {
    const used = await redeemToken(tx, "reset", reset.token);
    if (used?.userId == null) throw linkNotUsable();
    await writePassword(tx, used.userId, passwordHash);
    await endTokens(tx, "reset", used.userId);
    await endTokens(tx, "setup", used.userId);
    await endTokens(tx, "sign_in", used.userId);
    await deleteSessionsOf(tx, used.userId, 0);
    const changed = (await findAccountById(tx, used.userId)) as Account;
    await recordAuditEvent(tx, {
      by: { userId: changed.id, label: changed.email, address: reset.address },
      action: "user.password_reset",
      target: { kind: "user", id: changed.id, label: changed.email },
      organisationId: changed.organisationId,
      subjectUserId: changed.id,
    });
    return changed;
  });
  // An owner who was locked out by other people's guesses can sign in again.
  await unlockAccount(db, account.email);
  return account;
}

const linkNotUsable = () =>
  apiError("invalid_token", {
    key: "problems:linkEnded",
    param: "token",
  });
