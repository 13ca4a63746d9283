import { createHmac } from "node:crypto";
import { config } from "~/config.server";
import type { Db } from "~/db.server";
import { refusal } from "~/errors/app-error";
import { countAttempt, forgetAttempts, takeBackAttempt } from "./throttle-store";

/** What is rationed: guesses at passwords, and letters that strangers can make the portal send. */
type Ration = "sign_in" | "letter";

const FREE: Readonly<Record<Ration, { account: number; address: number }>> = {
  sign_in: { account: 10, address: 60 },
  letter: { account: 5, address: 30 },
};

/**
 * Counts an attempt against an account and against a network address, whether or not there is such an account. The first
 * ones are free; after the last of them one more is taken after 30 seconds, and each further one after twice as long, up to
 * 15 minutes.
 * @throws AppError rate_limit_exceeded with the time after which another attempt is taken.
 */
export async function ration(db: Db, kind: Ration, attempt: { account: string; address: string }): Promise<void> {
  const free = FREE[kind];
  // The address first: whoever is locked out there locks no accounts.
  const byAddress = await countAttempt(db, subjectOf(kind, "address", networkOf(attempt.address)), free.address);
  const wait = byAddress || (await countAttempt(db, subjectOf(kind, "account", attempt.account), free.account));
  refuseFor(wait);
}

/**
 * Counts a letter that somebody who is signed in has sent to an address, together with those that strangers cause.
 * @throws AppError rate_limit_exceeded with the time after which another one is sent.
 */
export async function rationLetterTo(db: Db, email: string): Promise<void> {
  refuseFor(await countAttempt(db, subjectOf("letter", "account", email), FREE.letter.account));
}

function refuseFor(waitSeconds: number): void {
  if (waitSeconds === 0) return;
  throw refusal("rate_limit_exceeded", {
    human: "Too many attempts. Wait a little before you try again.",
    retryAfterSeconds: waitSeconds,
  });
}

/** Forgets what was counted against an account, after it has proven itself. */
export async function clearRation(db: Db, kind: Ration, account: string): Promise<void> {
  await forgetAttempts(db, subjectOf(kind, "account", account));
}

/** Takes back what a right password has counted against its network address, which many people may share. */
export async function takeBackRation(db: Db, kind: Ration, address: string): Promise<void> {
  await takeBackAttempt(db, subjectOf(kind, "address", networkOf(address)));
}

/** Addresses of strangers are personal data: only a keyed hash is kept. */
function subjectOf(kind: Ration, what: string, value: string): string {
  const key = config().secrets[0] ?? "";
  const hash = createHmac("sha256", key).update(`throttle:${value}`).digest("base64url");
  return `${kind}:${what}:${hash.slice(0, 32)}`;
}

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
