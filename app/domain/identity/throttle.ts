import { config } from "~/config.server";
import type { Db } from "~/db.server";
import { apiError } from "~/errors/app-error";
import { keyedHash } from "./keyed-hash";
import { type Allowance, countAttempt, refundAttempt, resetAttempts } from "./throttle-store";

const QUARTER_HOUR = 900;
const DAY = 86_400;

/** How many attempts in a row each bucket takes freely. Decision 025 argues for the numbers. */
const ALLOWED = {
  /** Passwords tried for one account, by browsers that do not know it. */
  "sign_in:account": { free: 10, quietSeconds: QUARTER_HOUR },
  /** Passwords tried from one network, for whichever accounts. */
  "sign_in:network": { free: 60, quietSeconds: QUARTER_HOUR },
  /** Passwords tried for one account in one browser, session or link that has proven something already. */
  "sign_in:own": { free: 10, quietSeconds: QUARTER_HOUR },
  /** Passwords tried for a locked account from one network; a right one is answered by mail. */
  "sign_in:locked": { free: 5, quietSeconds: QUARTER_HOUR },
  /** Emails to one account that one network, browser or person has asked for. */
  "letter:pair": { free: 5, quietSeconds: QUARTER_HOUR },
  /** Emails to one account, whoever asks. */
  "letter:account": { free: 60, quietSeconds: DAY },
  /** Emails that one network asks for, to whichever accounts. */
  "letter:network": { free: 30, quietSeconds: QUARTER_HOUR },
  /** Promotion codes that one person tries. */
  "promotion:person": { free: 10, quietSeconds: QUARTER_HOUR },
  /** Promotion codes tried from one network, by whomever. */
  "promotion:network": { free: 60, quietSeconds: QUARTER_HOUR },
  /** Patterns and texts that one person has compiled or searched. */
  "expression:person": { free: 120, quietSeconds: QUARTER_HOUR },
} as const satisfies Record<string, Allowance>;
type Bucket = keyof typeof ALLOWED;

/**
 * Who makes an attempt. `own`: what sets this browser apart from strangers, such as the mark that it has from an earlier
 * sign-in to this very account; it then has a bucket of its own, which strangers cannot fill. Null: nothing does.
 */
export type Attempt = { account: string; address: string; own: string | null };

/** `locked`: the password may be checked, but the answer is 429 whatever it is; a right one is answered by mail. */
export type Turn = { kind: "open" } | { kind: "locked"; waitSeconds: number };

/**
 * Counts an attempt to sign in, before it is made, whether or not there is such an account. The first ones are free; after
 * the last of them one more is taken after 30 seconds, and each further one after twice as long, up to 15 minutes.
 * @throws AppError rate_limit_exceeded, with the time after which another attempt is taken, when nothing is to be checked.
 */
export async function rateLimitSignIn(db: Db, { account, address, own }: Attempt): Promise<Turn> {
  if (own !== null) {
    refuseFor(await count(db, "sign_in:own", account, own));
    return { kind: "open" };
  }
  // The network first: whoever is locked out there locks no accounts.
  refuseFor(await count(db, "sign_in:network", networkOf(address)));
  const wait = await count(db, "sign_in:account", account);
  if (wait === 0) return { kind: "open" };
  refuseFor(await count(db, "sign_in:locked", account, networkOf(address)));
  return { kind: "locked", waitSeconds: wait };
}

/**
 * Counts a guess at the password behind a link that has come by mail: whoever has the link is no stranger to the account.
 * @throws AppError rate_limit_exceeded
 */
export async function rateLimitSignInLink(db: Db, token: string): Promise<void> {
  refuseFor(await count(db, "sign_in:own", token));
}

/** Takes back what a right password has counted: for its network, which many people may share, and for its account. */
export async function refundSignInRateLimit(db: Db, { account, address, own }: Attempt): Promise<void> {
  // A browser that knows the account says nothing about the strangers who guess at it.
  if (own !== null) return resetAttempts(db, subjectOf("sign_in:own", account, own));
  await resetAttempts(db, subjectOf("sign_in:account", account));
  await refundAttempt(db, subjectOf("sign_in:network", networkOf(address)));
}

/** Forgets the guesses of strangers at an account, after a new password was set for it. */
export const unlockAccount = (db: Db, account: string): Promise<void> =>
  resetAttempts(db, subjectOf("sign_in:account", account));

/**
 * Counts an email that anybody can make the portal send, to whichever address. Each network has a share of each account's
 * emails, so that strangers elsewhere use up none of it.
 * @throws AppError rate_limit_exceeded with the time after which another one is sent.
 */
export async function rateLimitEmail(db: Db, { account, address, own }: Attempt): Promise<void> {
  if (own !== null) return refuseFor(await count(db, "letter:pair", account, own));
  const network = networkOf(address);
  refuseFor(await count(db, "letter:network", network));
  refuseFor(await count(db, "letter:pair", account, network));
  refuseFor(await count(db, "letter:account", account));
}

/**
 * Counts an email that somebody who is signed in has sent to an address of their choice.
 * @throws AppError rate_limit_exceeded with the time after which another one is sent.
 */
export async function rateLimitEmailTo(db: Db, sender: { userId: number }, email: string): Promise<void> {
  refuseFor(await count(db, "letter:pair", email, `person:${sender.userId}`));
  refuseFor(await count(db, "letter:account", email));
}

/**
 * Counts a promotion code that somebody tries, before it is looked up.
 * @throws AppError rate_limit_exceeded with the time after which another one is taken.
 */
export async function rateLimitPromotionCode(db: Db, attempt: { userId: number; address: string }): Promise<void> {
  refuseFor(await count(db, "promotion:network", networkOf(attempt.address)));
  refuseFor(await count(db, "promotion:person", String(attempt.userId)));
}

/**
 * Counts an expression of a person's own, such as a pattern, before it is compiled or tried on a text.
 * @throws AppError rate_limit_exceeded with the time after which another one is taken.
 */
export async function rateLimitExpression(db: Db, { userId }: { userId: number }): Promise<void> {
  refuseFor(await count(db, "expression:person", String(userId)));
}

/** Takes back what a right code has counted. */
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

/** Addresses of strangers are personal data: only a keyed hash is kept. */
const subjectOf = (bucket: Bucket, ...parts: string[]): string =>
  `${bucket}:${keyedHash(config().secrets[0] ?? "", "throttle", ...parts).slice(0, 32)}`;

/** An IPv6 customer has a whole /64. */
function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter(Boolean).length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill("0"), ...(tail ?? "").split(":")]
    .slice(0, 4)
    .join(":");
}
