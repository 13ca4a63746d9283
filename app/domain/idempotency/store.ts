import type { Db } from "~/connection/db.server";
import type { ClaimRequest } from "./shared";

export type ClaimRow = {
  mine: boolean;
  requestHash: Uint8Array;
  callId: string;
  ageSeconds: number;
  answer: string | null;
  settlement: string | null;
  holdState: string | null;
  captured: bigint | null;
};

/** Claims a key, or returns the call that has it and its progress; null when the key was released at the same time. */
export async function insertClaim(db: Db, claim: ClaimRequest): Promise<ClaimRow | null> {
  const { keyId, idempotencyKey, organisationId, requestHash, callId } = claim;
  const rows = await db.$queryRaw<ClaimRow[]>`
    WITH mine AS (
      INSERT INTO idempotent_call (key_id, idem_key, organisation_id, request_hash, call_id)
        VALUES (${keyId}::integer, ${idempotencyKey}, ${organisationId}::integer, ${bytes(requestHash)}, ${callId}::uuid)
        ON CONFLICT DO NOTHING RETURNING request_hash, call_id)
    SELECT true AS mine, request_hash AS "requestHash", call_id::text AS "callId", 0 AS "ageSeconds", NULL AS answer, NULL AS settlement,
           NULL AS "holdState", NULL::bigint AS captured FROM mine
    UNION ALL
    SELECT false, c.request_hash, c.call_id::text, extract(epoch FROM now() - coalesce(c.answered_at, c.claimed_at))::integer, c.answer, c.settlement,
           h.state, h.captured
      FROM idempotent_call c LEFT JOIN hold h ON h.id = c.call_id
     WHERE c.key_id = ${keyId}::integer AND c.idem_key = ${idempotencyKey}`;
  return rows[0] ?? null;
}

/** Moves a claim to another call; returns false when another request was faster. */
export async function moveClaim(db: Db, claim: ClaimRequest, fromCallId: string): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE idempotent_call
       SET call_id = ${claim.callId}::uuid, request_hash = ${bytes(claim.requestHash)}, claimed_at = now(), answered_at = NULL, answer = NULL,
           settlement = NULL
     WHERE key_id = ${claim.keyId}::integer AND idem_key = ${claim.idempotencyKey} AND call_id = ${fromCallId}::uuid`;
  return changed > 0;
}

export async function putAnswer(db: Db, claim: ClaimRequest, answer: string, settlement: string): Promise<void> {
  await db.$executeRaw`
    UPDATE idempotent_call SET answered_at = now(), answer = ${answer}, settlement = ${settlement}
     WHERE key_id = ${claim.keyId}::integer AND idem_key = ${claim.idempotencyKey} AND call_id = ${claim.callId}::uuid`;
}

export async function deleteClaim(db: Db, claim: ClaimRequest): Promise<void> {
  await db.$executeRaw`
    DELETE FROM idempotent_call
     WHERE key_id = ${claim.keyId}::integer AND idem_key = ${claim.idempotencyKey} AND call_id = ${claim.callId}::uuid AND answered_at IS NULL`;
}

export function deleteOld(db: Db, hours: number, maximum: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM idempotent_call WHERE (key_id, idem_key) IN (
      SELECT key_id, idem_key FROM idempotent_call
       WHERE coalesce(answered_at, claimed_at) < now() - ${hours}::integer * interval '1 hour' LIMIT ${maximum}::integer)`;
}

export function deleteAnswers(db: Db, organisationId: number, keyId: number | null): Promise<number> {
  return db.$executeRaw`
    DELETE FROM idempotent_call
     WHERE organisation_id = ${organisationId}::integer AND (${keyId}::integer IS NULL OR key_id = ${keyId}::integer) AND answered_at IS NOT NULL`;
}

const bytes = (buffer: Buffer) => new Uint8Array(buffer);

/**
 * Returns settlements of answered calls that were not posted because their process crashed in between; their holds are
 * in review.
 */
export async function listUnbooked(db: Db, maximum: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ settlement: string }[]>`
    SELECT c.settlement FROM hold h JOIN idempotent_call c ON c.call_id = h.id
     WHERE h.state = 'review' AND c.settlement IS NOT NULL LIMIT ${maximum}::integer`;
  return rows.map(({ settlement }) => settlement);
}
