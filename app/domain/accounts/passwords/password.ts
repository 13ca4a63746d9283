import { availableParallelism } from "node:os";
import { type Algorithm, hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { apiError } from "~/errors/app-error";
import { MAX_PASSWORD_BYTES } from "../shared";

// Argon2id. The package exports its enumeration as a type only; 2 is the value.
const COST = { algorithm: 2 as Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Maximum concurrent hashes. A hash occupies one of libuv's four threads and a processor: two threads remain for files,
 * DNS and streams, and one processor for the event loop.
 */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
const WAITING_AT_MOST = 32;

const limit = pLimit(AT_ONCE);

/**
 * Returns the Argon2id hash of a password, including its parameters and salt.
 * @throws AppError rate_limit_exceeded when too many passwords are being hashed at once.
 */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST));
}

/**
 * Returns whether a password matches a hash. Without a hash it takes as long and returns false, so that the response
 * time does not reveal which accounts exist.
 * @throws AppError rate_limit_exceeded when too many passwords are being hashed at once.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const usable = Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
  const against = passwordHash ?? (await someHash());
  const fits = await inTurn(() => verify(against, usable ? password : ""));
  return fits && usable && passwordHash !== null;
}

const CURRENT = new RegExp(`^\\$argon2id\\$v=19\\$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}\\$`);

/** Returns whether a hash was made with the current cost parameters. */
export const isCurrentHash = (passwordHash: string): boolean => CURRENT.test(passwordHash);

let hashOfNobody: Promise<string> | null = null;

function someHash(): Promise<string> {
  hashOfNobody ??= hash("nobody's password", COST);
  return hashOfNobody;
}

// Each hash takes 19 MiB and a processor, so a surge of sign-ins must not starve the gateway.
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (limit.activeCount + limit.pendingCount >= AT_ONCE + WAITING_AT_MOST) {
    throw apiError("rate_limit_exceeded", {
      key: "problems:crowd",
      retryAfterSeconds: 3,
    });
  }
  return limit(work);
}
