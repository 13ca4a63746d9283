import type { Db } from "~/db.server";
import { type Account, findAccountByEmail, replaceHash } from "./account-store";
import { addressSuffices } from "./address-proof";
import { hashPassword, isCurrentHash, verifyPassword } from "./password";
import { hashOfWaiting } from "./sign-up";
import { clearRation, ration, takeBackRation } from "./throttle";

export type SignInOutcome =
  | { kind: "ready"; account: Account }
  /** The address and the password do not belong together, or there is no such account. */
  | { kind: "invalid" }
  /** The password is right, and the address has yet to be confirmed. */
  | { kind: "unverified"; email: string }
  | { kind: "closed"; status: "suspended" | "archived" };

/**
 * Checks an address and a password. Takes as long and says the same for an account that does not exist, that has no
 * password, or that `mayUse` keeps out of this portal.
 * @throws AppError rate_limit_exceeded
 */
export async function checkPassword(
  db: Db,
  attempt: { email: string; password: string; address: string; mayUse: (account: Account) => Promise<boolean> },
): Promise<SignInOutcome> {
  const { email, password, address } = attempt;
  await ration(db, "sign_in", { account: email, address });
  const [account, waitingHash] = await Promise.all([findAccountByEmail(db, email), hashOfWaiting(db, email)]);
  const hash = account === null ? waitingHash : account.passwordHash;
  const fits = await verifyPassword(hash, password);
  if (!fits || hash === null || (account !== null && !(await attempt.mayUse(account)))) return { kind: "invalid" };
  await clearRation(db, "sign_in", email);
  await takeBackRation(db, "sign_in", address);
  if (account === null || !addressSuffices(account)) return { kind: "unverified", email };
  if (account.status !== "active") {
    return { kind: "closed", status: account.status === "suspended" ? "suspended" : "archived" };
  }
  if (!isCurrentHash(hash)) await replaceHash(db, account.id, hash, await hashPassword(password));
  return { kind: "ready", account };
}
