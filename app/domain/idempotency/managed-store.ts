import type { Db } from "~/connection/db.server";
import type { ManagedRequest } from "./shared";

type ManagedRow = { mine: boolean; requestHash: Uint8Array; answer: string | null; ageSeconds: number };

/**
 * Takes a key for the transaction `tx`. If another transaction has it, waits for that transaction to end. Null: the key
 * was released at the same time.
 */
export async function takeKey(tx: Db, request: ManagedRequest): Promise<ManagedRow | null> {
  const { keyId, idempotencyKey, organisationId, requestHash } = request;
  const taken = await tx.$executeRaw`
    INSERT INTO managed_request (key_id, idem_key, organisation_id, request_hash)
      VALUES (${keyId}::integer, ${idempotencyKey}, ${organisationId}::integer, ${new Uint8Array(requestHash)})
      ON CONFLICT DO NOTHING`;
  if (taken > 0) return { mine: true, requestHash, answer: null, ageSeconds: 0 };
  const rows = await tx.$queryRaw<ManagedRow[]>`
    SELECT false AS mine, request_hash AS "requestHash", answer, extract(epoch FROM now() - answered_at)::integer AS "ageSeconds"
      FROM managed_request WHERE key_id = ${keyId}::integer AND idem_key = ${idempotencyKey} FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}

/** Counts the keys that an admin key has taken, up to `maximum`. */
export async function countTaken(tx: Db, keyId: number, maximum: number): Promise<number> {
  const rows = await tx.$queryRaw<{ taken: number }[]>`
    SELECT count(*)::integer AS taken
      FROM (SELECT 1 FROM managed_request WHERE key_id = ${keyId}::integer LIMIT ${maximum}::integer) AS counted`;
  return rows[0]?.taken ?? 0;
}

/** Stores the answer, and makes this request the one that the row is about. */
export async function putManagedAnswer(tx: Db, request: ManagedRequest, answer: string): Promise<void> {
  const { keyId, idempotencyKey, requestHash } = request;
  await tx.$executeRaw`
    UPDATE managed_request SET answer = ${answer}, request_hash = ${new Uint8Array(requestHash)}, answered_at = now()
     WHERE key_id = ${keyId}::integer AND idem_key = ${idempotencyKey}`;
}

export function deleteOldManaged(db: Db, hours: number, maximum: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM managed_request WHERE (key_id, idem_key) IN (
      SELECT key_id, idem_key FROM managed_request
       WHERE answered_at < now() - ${hours}::integer * interval '1 hour' LIMIT ${maximum}::integer)`;
}

export function deleteManaged(db: Db, organisationId: number, keyId: number | null): Promise<number> {
  return db.$executeRaw`
    DELETE FROM managed_request
     WHERE organisation_id = ${organisationId}::integer AND (${keyId}::integer IS NULL OR key_id = ${keyId}::integer)`;
}
