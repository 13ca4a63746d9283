import type { Db } from "~/db.server";
import type { ManagedRequest } from "./shared";

type ManagedRow = { mine: boolean; requestHash: Uint8Array; answer: string | null; ageSeconds: number };

/**
 * Takes a key for the transaction that `tx` is. Where another transaction has it in hand, waits for its end. Null: it went at the same
 * moment.
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

/** How many keys an admin key has taken; not more than `maximum` are counted. */
export async function countTaken(tx: Db, keyId: number, maximum: number): Promise<number> {
  const rows = await tx.$queryRaw<{ taken: number }[]>`
    SELECT count(*)::integer AS taken
      FROM (SELECT 1 FROM managed_request WHERE key_id = ${keyId}::integer LIMIT ${maximum}::integer) AS counted`;
  return rows[0]?.taken ?? 0;
}

/** Writes what was answered, for the request that the row is about from then on. */
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
