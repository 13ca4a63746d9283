import { hash } from "node:crypto";
import { isListening, subscribe } from "~/connection/bus.server";
import { isDatabaseBusy, whileAnswering } from "~/connection/database-patience";
import { type Db, db } from "~/connection/db.server";
import { AppError, apiError } from "~/errors/app-error";
import type { ErrorCode } from "~/errors/catalogue";
import { log } from "~/observe/log.server";
import { isOperatorMade } from "../operator-made";
import { denialReason, isConcerned, type KnownSecret } from "../policy";
import { noSuchKey } from "../read";
import type { Caller } from "../shared";
import { readKeyOf, readKnownSecret, readOwnKey } from "./known-secret";
import { formOf } from "./secret";
import { SecretCache } from "./secret-cache";

/** Maximum age of a cached key in milliseconds, in case events are lost, and while no events can arrive. */
const FRESH_MS = 30_000;
const TTL_WITHOUT_EVENTS_MS = 500;

const cache = new SecretCache();

subscribe("keys", (id) => cache.evict(id === undefined ? undefined : ({ caller }) => String(caller.keyId) === id));
subscribe("budgets", (id) => cache.evict(({ caller }) => isConcerned(caller, id)));

/** Returns the current maximum age of cached data about keys. */
const freshForMs = (): number => (isListening() ? FRESH_MS : TTL_WITHOUT_EVENTS_MS);

/**
 * Returns the caller of a secret. While the key is in memory it answers at once, without the database. The clock is
 * checked every time, so expiry and the end of a rotation's overlap apply to the second. Revoking, suspending and
 * changing a key take effect at once in this process and within a second in all others. 300 concurrent first requests
 * with one secret cost one look-up.
 * @throws AppError missing_api_key; invalid_api_key (unknown, revoked, replaced); account_status (suspended key or
 *   user); expired_api_key; auth_unavailable when the database must be read and does not respond for two seconds;
 *   capacity_exceeded when it responds, but the look-up has waited ten seconds for other work.
 */
export function verifyKey(secret: string): Caller | Promise<Caller> {
  if (secret === "") throw apiError("missing_api_key");
  // A repeated call costs one SHA-256, and no secret is kept in memory.
  const digest = hash("sha256", secret, "base64");
  const known = cache.get(digest, performance.now(), freshForMs());
  return known === undefined ? lookUp(secret, digest) : callerOf(known);
}

async function lookUp(secret: string, digest: string): Promise<Caller> {
  const form = formOf(secret);
  if (form === "malformed") throw apiError("invalid_api_key");
  try {
    return callerOf(await whileAnswering(find(secret, digest, form)));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw apiError(isDatabaseBusy(error) ? "capacity_exceeded" : "auth_unavailable", { cause: error });
  }
}

async function find(secret: string, digest: string, form: ReturnType<typeof formOf>): Promise<KnownSecret | null> {
  if (form === "unchecked" && !(await isOperatorMade(secret, freshForMs()))) return null;
  return cache.read(digest, performance.now(), () => read(secret));
}

async function read(secret: string): Promise<KnownSecret | null> {
  try {
    return await readKnownSecret(db(), secret);
  } catch (error) {
    log.warn({ err: error }, "a key could not be looked up");
    throw error;
  }
}

/**
 * Returns the caller of a person's own inference key without its secret, for calls that gw makes for them. Nothing is
 * cached: the key is read as of now.
 * @throws AppError not_found, the same for another person's key, an admin key, a revoked one and an unknown id;
 *   account_status; expired_api_key.
 */
export async function callerOfOwnKey(db: Db, owner: { userId: number }, id: number): Promise<Caller> {
  const known = await readOwnKey(db, owner, id);
  if (known === null || known.keyStatus === "revoked") throw noSuchKey();
  return callerOf(known);
}

/**
 * Returns the caller of an organisation's key as of now, for requests that gw carries out later.
 * @throws AppError invalid_api_key for a revoked or missing key; account_status; expired_api_key.
 */
export const callerOfKey = async (db: Db, key: { organisationId: number; keyId: number }): Promise<Caller> =>
  callerOf(await readKeyOf(db, key));

/**
 * Returns the caller of a key whatever its current status, to complete work that was begun for them. Null: the key does
 * not exist.
 */
export const formerCallerOfKey = async (
  db: Db,
  key: { organisationId: number; keyId: number },
): Promise<Caller | null> => (await readKeyOf(db, key))?.caller ?? null;

function callerOf(known: KnownSecret | null): Caller {
  const code = known === null ? "invalid_api_key" : denialReason(known, Date.now());
  if (known === null || code !== null) throw apiError(code ?? "invalid_api_key", wordsFor(code, known));
  return known.caller;
}

/** The catalogue's message is about an account, which does not fit a suspended key. */
const wordsFor = (code: ErrorCode | null, known: KnownSecret | null) =>
  code === "account_status" && known?.keyStatus === "suspended"
    ? ({ key: "rejections:keySuspended" } as const)
    : undefined;
