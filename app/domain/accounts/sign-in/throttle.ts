import { config } from "~/config.server";
import type { Db } from "~/connection/db.server";
import { apiError } from "~/errors/app-error";
import { keyedHash } from "./keyed-hash";
import { type Allowance, countAttempt, refundAttempt, resetAttempts } from "./throttle-store";

const QUARTER_HOUR = 900;
const DAY = 86_400;

/** Free attempts in a row per bucket. See docs/decisions/025. */
const ALLOWED = {
  /** Passwords tried for one account, by browsers without a mark of the account. */
  "sign_in:account": { free: 10, quietSeconds: QUARTER_HOUR },
  /** Passwords tried from one network, for any account. */
  "sign_in:network": { free: 60, quietSeconds: QUARTER_HOUR },
  /** Passwords tried for one account in one known browser, session or link. */
  "sign_in:own": { free: 10, quietSeconds: QUARTER_HOUR },
  /** Passwords tried for a locked account from one network; a right one is answered by email. */
  "sign_in:locked": { free: 5, quietSeconds: QUARTER_HOUR },
  /** Emails to one account, requested by one network, browser or person. */
  "letter:pair": { free: 5, quietSeconds: QUARTER_HOUR },
  /** Emails to one account, from all requesters. */
  "letter:account": { free: 60, quietSeconds: DAY },
  /** Emails that one network requests, to any account. */
  "letter:network": { free: 30, quietSeconds: QUARTER_HOUR },
  /** Promotion codes that one person tries. */
  "promotion:person": { free: 10, quietSeconds: QUARTER_HOUR },
  /** Promotion codes tried from one network, by any person. */
  "promotion:network": { free: 60, quietSeconds: QUARTER_HOUR },
  /** Patterns and texts that one person has compiled or searched. */
  "expression:person": { free: 120, quietSeconds: QUARTER_HOUR },
} as const satisfies Record<string, Allowance>;
type Bucket = keyof typeof ALLOWED;

/**
 * The origin of an attempt. `own`: what distinguishes this browser from strangers, such as a mark of an earlier sign-in
 * to this account. It then has its own bucket, which strangers cannot fill. Null: unknown browser.
 */
export type Attempt = { account: string; address: string; own: string | null };

/** `locked`: the password may be checked, but the answer is always 429; a right password is answered by email. */
export type Turn = { kind: "open" } | { kind: "locked"; waitSeconds: number };

/**
 * Counts a sign-in attempt before it is made, whether or not the account exists. The first attempts are free. The next
 * one is accepted after 30 seconds, and each further one after twice as long, up to 15 minutes.
 * @throws AppError rate_limit_exceeded, with the time until the next attempt, when no password is to be checked.
 */
export async function rateLimitSignIn(db: Db, { account, address, own }: Attempt): Promise<Turn> {
  if (own !== null) {
    refuseFor(await count(db, "sign_in:own", account, own));
    return { kind: "open" };
  }
  // The network is counted first: a network that is locked out cannot lock accounts.
  refuseFor(await count(db, "sign_in:network", networkOf(address)));
  const wait = await count(db, "sign_in:account", account);
  if (wait === 0) return { kind: "open" };
  refuseFor(await count(db, "sign_in:locked", account, networkOf(address)));
  return { kind: "locked", waitSeconds: wait };
}

/**
 * Counts a password attempt through an emailed link. Its visitor is known to the account, because they have the link.
 * @throws AppError rate_limit_exceeded
 */
export async function rateLimitSignInLink(db: Db, token: string): Promise<void> {
  refuseFor(await count(db, "sign_in:own", token));
}

/** Reverts the count of a right password: for its account, and for its network, which many people may share. */
export async function refundSignInRateLimit(db: Db, { account, address, own }: Attempt): Promise<void> {
  // A sign-in from a known browser does not reset the attempts of strangers.
  if (own !== null) return resetAttempts(db, subjectOf("sign_in:own", account, own));
  await resetAttempts(db, subjectOf("sign_in:account", account));
  await refundAttempt(db, subjectOf("sign_in:network", networkOf(address)));
}

/** Resets the attempts of strangers on an account, after its password was reset. */
export const unlockAccount = (db: Db, account: string): Promise<void> =>
  resetAttempts(db, subjectOf("sign_in:account", account));

/**
 * Counts an email that an unauthenticated visitor can request for any address. Each network has a share of each
 * account's emails, so that strangers on other networks cannot use it up.
 * @throws AppError rate_limit_exceeded with the time until the next email.
 */
export async function rateLimitEmail(db: Db, { account, address, own }: Attempt): Promise<void> {
  if (own !== null) return refuseFor(await count(db, "letter:pair", account, own));
  const network = networkOf(address);
  refuseFor(await count(db, "letter:network", network));
  refuseFor(await count(db, "letter:pair", account, network));
  refuseFor(await count(db, "letter:account", account));
}

/**
 * Counts an email that a signed-in person has sent to an address of their choice.
 * @throws AppError rate_limit_exceeded with the time until the next email.
 */
export async function rateLimitEmailTo(db: Db, sender: { userId: number }, email: string): Promise<void> {
  refuseFor(await count(db, "letter:pair", email, `person:${sender.userId}`));
  refuseFor(await count(db, "letter:account", email));
}

/**
 * Counts a promotion code before it is looked up.
 * @throws AppError rate_limit_exceeded with the time until the next attempt.
 */
export async function rateLimitPromotionCode(db: Db, attempt: { userId: number; address: string }): Promise<void> {
  refuseFor(await count(db, "promotion:network", networkOf(attempt.address)));
  refuseFor(await count(db, "promotion:person", String(attempt.userId)));
}

/**
 * Counts a person's own expression, such as a pattern, before it is compiled or tried on a text.
 * @throws AppError rate_limit_exceeded with the time until the next attempt.
 */
export async function rateLimitExpression(db: Db, { userId }: { userId: number }): Promise<void> {
  refuseFor(await count(db, "expression:person", String(userId)));
}

/** Reverts the count of a right code. */
export async function refundPromotionCodeRateLimit(
  db: Db,
  attempt: { userId: number; address: string },
): Promise<void> {
  await resetAttempts(db, subjectOf("promotion:person", String(attempt.userId)));
  await refundAttempt(db, subjectOf("promotion:network", networkOf(attempt.address)));
}

const count = (db: Db, bucket: Bucket, ...parts: string[]): Promise<number> =>
  countAttempt(db, subjectOf(bucket, ...parts), ALLOWED[bucket]);

function refuseFor(waitSeconds: number): void {
  if (waitSeconds === 0) return;
  throw apiError("rate_limit_exceeded", {
    key: "problems:tooManyAttempts",
    retryAfterSeconds: waitSeconds,
  });
}

/** Addresses of strangers are personal data, so only a keyed hash is stored. */
const subjectOf = (bucket: Bucket, ...parts: string[]): string =>
  `${bucket}:${keyedHash(config().secrets[0] ?? "", "throttle", ...parts).slice(0, 32)}`;

/** Returns the network of an address. An IPv6 customer has a whole /64. */
function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter(Boolean).length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill("0"), ...(tail ?? "").split(":")]
    .slice(0, 4)
    .join(":");
}
