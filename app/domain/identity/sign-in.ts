import type { Db } from "~/db.server";
import { type Account, findAccountByEmail, replaceHash } from "./account-store";
import { addressSuffices } from "./address-proof";
import { deviceOf } from "./known-device";
import { hashPassword, isCurrentHash, verifyPassword } from "./password";
import { type Attempt, rateLimitSignIn, refundSignInRateLimit } from "./throttle";

export type SignInOutcome =
  | { kind: "ready"; account: Account }
  /** The address and the password do not belong together, or there is no such account. */
  | { kind: "invalid" }
  /** The password is the one of the sign-up that this browser has made, or of an account that has yet to be confirmed. */
  | { kind: "unverified"; email: string }
  | { kind: "closed"; status: "suspended" | "archived" }
  /** There were too many attempts. `proven`: whose password it was all the same; nothing in the answer may tell. */
  | { kind: "locked"; waitSeconds: number; proven: Account | null };

export type PasswordAttempt = {
  email: string;
  password: string;
  address: string;
  /** The marks that earlier sign-ins have left in this browser. */
  marks?: readonly string[];
  /** The session that the attempt is made in: it has shown already that it is no stranger's. */
  sessionId?: number;
  /** The sign-up that this very browser has made, whether or not there was an account with its address. */
  signUp?: { email: string; passwordHash: string } | null;
  mayUse: (account: Account) => Promise<boolean>;
};

/**
 * Checks an address and a password. Takes as long and says the same for an account that does not exist, that has no
 * password, or that `mayUse` keeps out of this portal.
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

// Only the browser can know: what the database says about the address would tell whether there is an account.
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
