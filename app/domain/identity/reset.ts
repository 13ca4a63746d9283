import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import { type Account, findAccountByEmail, findAccountById, providersOf, writePassword } from "./account-store";
import { emailsProve } from "./address-proof";
import { deviceOf } from "./known-device";
import { requireStrongPassword } from "./new-password";
import { newToken } from "./one-time-token";
import { hashPassword } from "./password";
import { deleteSessionsOf } from "./session-store";
import { rateLimitEmail, unlockAccount } from "./throttle";
import { endTokens, findToken, insertToken, redeemToken } from "./token-store";

const RESET_SECONDS = 30 * 60;

export type ResetEmail =
  | { kind: "reset"; token: string; validSeconds: number; account: Account }
  /** The account has no password; it signs in with these, of which one at least attests who somebody is. */
  | { kind: "provider"; providers: string[]; account: Account };

/**
 * Takes the request for a new password and returns the email that has to go out; null: none, because there is no such
 * account, or it is closed. `marks`: those of devices that know an account. `attests`: whether a provider can confirm that
 * a person is present; whose providers all cannot gets a password by mail, or what asks for a recent proof would be closed
 * to them. The caller answers the same in every case. Earlier links of the account end.
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
 * The email for an account whose address nothing has confirmed yet: a link for a new password, because only that shows
 * that the mailbox and the password belong to one person. Null: there is no such account. The caller has counted it.
 */
export async function confirmByReset(db: Db, email: string): Promise<Extract<ResetEmail, { kind: "reset" }> | null> {
  const account = await findAccountByEmail(db, email);
  if (account === null || account.status !== "active" || account.verified || !emailsProve()) return null;
  return resetEmail(db, account);
}

/** Whether a reset link can be used, and for which address. */
export async function lookAtReset(db: Db, token: string): Promise<{ email: string } | null> {
  const found = await findToken(db, "reset", token);
  const account = found?.userId == null ? null : await findAccountById(db, found.userId);
  return account && { email: account.email };
}

/**
 * Sets a new password by a link, once. Every session of the account ends, every other link of it too, and its address
 * counts as confirmed, if the link came to it by mail. Returns the account.
 * @throws AppError invalid_token, weak_password
 */
export async function resetPassword(
  db: Db,
  reset: { token: string; password: string; address: string },
): Promise<Account> {
  const found = await lookAtReset(db, reset.token);
  if (found === null) throw linkNotUsable();
  requireStrongPassword(reset.password, found.email);
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
  // Whoever was locked out by somebody else's guesses gets in again.
  await unlockAccount(db, account.email);
  return account;
}

const linkNotUsable = () =>
  apiError("invalid_token", {
    key: "problems:linkEnded",
    param: "token",
  });
