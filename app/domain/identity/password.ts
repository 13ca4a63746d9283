import { availableParallelism } from "node:os";
import { type Algorithm, hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { apiError } from "~/errors/app-error";
import { MAX_PASSWORD_BYTES } from "./shared";

// Argon2id. The package's enumeration exists only for the compiler; 2 is its value on the wire.
const COST = { algorithm: 2 as Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashes run on libuv's threads, of which there are four, and take a processor each: files, names and streams keep two
 * threads, and the event loop a processor.
 */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
const WAITING_AT_MOST = 32;

const limit = pLimit(AT_ONCE);

/**
 * The Argon2id hash of a password, with its parameters and salt in it.
 * @throws AppError rate_limit_exceeded when too many passwords are being hashed at once.
 */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST));
}

/**
 * Whether a password belongs to a hash. Without a hash it takes as long and says no, so that time tells nobody which
 * accounts exist.
 * @throws AppError rate_limit_exceeded when too many passwords are being hashed at once.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const usable = Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
  const against = passwordHash ?? (await someHash());
  const fits = await inTurn(() => verify(against, usable ? password : ""));
  return fits && usable && passwordHash !== null;
}

const CURRENT = new RegExp(`^\\$argon2id\\$v=19\\$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}\\$`);

/** Whether a hash was made at today's cost. */
export const isCurrentHash = (passwordHash: string): boolean => CURRENT.test(passwordHash);

let hashOfNobody: Promise<string> | null = null;

function someHash(): Promise<string> {
  hashOfNobody ??= hash("nobody's password", COST);
  return hashOfNobody;
}

// Each hash takes 19 MiB and a processor: a crowd of sign-ins must not take the gateway's.
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (limit.activeCount + limit.pendingCount >= AT_ONCE + WAITING_AT_MOST) {
    throw apiError("rate_limit_exceeded", {
      key: "problems:crowd",
      retryAfterSeconds: 3,
    });
  }
  return limit(work);
}
