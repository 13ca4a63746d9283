import type { Db } from "~/connection/db.server";
import { type Account, findAccountByEmail, replaceHash } from "../account-store";
import { addressSuffices } from "../address-proof";
import { hashPassword, isCurrentHash, verifyPassword } from "../passwords/password";
import { deviceOf } from "./known-device";
import { type Attempt, rateLimitSignIn, refundSignInRateLimit } from "./throttle";

export type SignInOutcome =
  | { kind: "ready"; account: Account }
  /** The address and the password do not belong together, or there is no such account. */
  | { kind: "invalid" }
  /** The password is that of a sign-up from this browser, or of an unconfirmed account. */
  | { kind: "unverified"; email: string }
  | { kind: "closed"; status: "suspended" | "archived" }
  /** Too many attempts. `proven`: the account, if its password was right; the answer must not reveal it. */
  | { kind: "locked"; waitSeconds: number; proven: Account | null };

export type PasswordAttempt = {
  email: string;
  password: string;
  address: string;
  /** Marks that earlier sign-ins left in this browser. */
  marks?: readonly string[];
  /** The session of the attempt; a signed-in session counts its attempts separately from strangers. */
  sessionId?: number;
  /** The sign-up that this browser made, whether or not its address already had an account. */
  signUp?: { email: string; passwordHash: string } | null;
  mayUse: (account: Account) => Promise<boolean>;
};

/**
 * Checks an address and a password. Takes as long and returns the same for an account that does not exist, that has no
 * password, or that `mayUse` excludes from this portal.
 * @throws AppError rate_limit_exceeded
 */
export async function checkPassword(db: Db, attempt: PasswordAttempt): Promise<SignInOutcome> {
  const { email, password, address } = attempt;
  const account = await findAccountByEmail(db, email);
  const counted: Attempt = { account: email, address, own: ownOf(account, attempt) };
  const turn = await rateLimitSignIn(db, counted);
  const fits = await verifyPassword(account?.passwordHash ?? null, password);
  if (turn.kind === "locked") return { ...turn, proven: fits ? account : null };
  if (account === null || !fits) return (await isOwnSignUp(attempt)) ? { kind: "unverified", email } : INVALID;
  if (!(await attempt.mayUse(account))) return INVALID;
  await refundSignInRateLimit(db, counted);
  if (!addressSuffices(account)) return { kind: "unverified", email };
  if (account.status !== "active") {
    return { kind: "closed", status: account.status === "suspended" ? "suspended" : "archived" };
  }
  return { kind: "ready", account: await withCurrentHash(db, account, password) };
}

const INVALID = { kind: "invalid" } as const;

function ownOf(account: Account | null, { marks = [], sessionId }: PasswordAttempt): string | null {
  if (sessionId !== undefined) return `session:${sessionId}`;
  const device = deviceOf(account, marks);
  return device && `device:${device}`;
}

// The sign-up comes from the browser: a look-up of the address in the database would reveal whether an account exists.
async function isOwnSignUp({ email, password, signUp = null }: PasswordAttempt): Promise<boolean> {
  return signUp !== null && signUp.email === email && verifyPassword(signUp.passwordHash, password);
}

async function withCurrentHash(db: Db, account: Account, password: string): Promise<Account> {
  const before = account.passwordHash;
  if (before === null || isCurrentHash(before)) return account;
  const passwordHash = await hashPassword(password);
  await replaceHash(db, account.id, before, passwordHash);
  return { ...account, passwordHash };
}
