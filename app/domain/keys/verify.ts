import { hash } from "node:crypto";
import { isListening, subscribe } from "~/bus.server";
import { isDatabaseBusy, whileAnswering } from "~/database-patience";
import { type Db, db } from "~/db.server";
import { AppError, apiError } from "~/errors/app-error";
import type { ErrorCode } from "~/errors/catalogue";
import { log } from "~/log.server";
import { readKeyOf, readKnownSecret, readOwnKey } from "./known-secret";
import { isOperatorMade } from "./operator-made";
import { denialReason, isConcerned, type KnownSecret } from "./policy";
import { noSuchKey } from "./read";
import { formOf } from "./secret";
import { SecretCache } from "./secret-cache";
import type { Caller } from "./shared";

/** The safety net below events, and how long a copy lives while none can arrive. */
const FRESH_MS = 30_000;
const FRESH_WHILE_DEAF_MS = 500;

const cache = new SecretCache();

subscribe("keys", (id) => cache.evict(id === undefined ? undefined : ({ caller }) => String(caller.keyId) === id));
subscribe("budgets", (id) => cache.evict(({ caller }) => isConcerned(caller, id)));

/** How long something that was read about keys may be believed now. */
const freshForMs = (): number => (isListening() ? FRESH_MS : FRESH_WHILE_DEAF_MS);

/**
 * Who a secret belongs to. At once, without a database, while the key is in memory; the clock is asked every time, so
 * expiry and the end of a rotation's overlap hold to the second. Revoking, suspending and changing a key take effect at
 * once in this process and within a second in all others. 300 first requests at once cost one look-up.
 * @throws AppError missing_api_key; invalid_api_key (unknown, revoked, replaced); account_status (suspended key or user);
 *   expired_api_key; auth_unavailable when the database has to be asked and does not answer anything for two seconds;
 *   capacity_exceeded when it answers, and the look-up has waited behind other work for ten.
 */
export function verifyKey(secret: string): Caller | Promise<Caller> {
  if (secret === "") throw apiError("missing_api_key");
  // One SHA-256 is what a repeated call costs, and no secret stays in memory.
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
 * Who a person is when they call by one of their own inference keys and have no secret at hand, as where gw calls for them.
 * Nothing is remembered: the key is as it is at this moment.
 * @throws AppError not_found, the same for somebody else's key, an admin key, a revoked one and none; account_status; expired_api_key.
 */
export async function callerOfOwnKey(db: Db, owner: { userId: number }, id: number): Promise<Caller> {
  const known = await readOwnKey(db, owner, id);
  if (known === null || known.keyStatus === "revoked") throw noSuchKey();
  return callerOf(known);
}

/**
 * Who calls by a key of an organisation, as it is at this moment, where gw carries out later what was asked for with its secret.
 * @throws AppError invalid_api_key for one that is revoked or not there; account_status; expired_api_key.
 */
export const callerOfKey = async (db: Db, key: { organisationId: number; keyId: number }): Promise<Caller> =>
  callerOf(await readKeyOf(db, key));

/** Who called by a key, whatever has become of it since: what was begun for them is brought to its end. Null: the key is not there. */
export const formerCallerOfKey = async (
  db: Db,
  key: { organisationId: number; keyId: number },
): Promise<Caller | null> => (await readKeyOf(db, key))?.caller ?? null;

function callerOf(known: KnownSecret | null): Caller {
  const code = known === null ? "invalid_api_key" : denialReason(known, Date.now());
  if (known === null || code !== null) throw apiError(code ?? "invalid_api_key", wordsFor(code, known));
  return known.caller;
}

/** The catalogue speaks of an account; a suspended key is nobody's account. */
const wordsFor = (code: ErrorCode | null, known: KnownSecret | null) =>
  code === "account_status" && known?.keyStatus === "suspended"
    ? ({ key: "rejections:keySuspended" } as const)
    : undefined;
