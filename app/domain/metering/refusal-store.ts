import type { Db } from "~/db.server";
import type { NewRefusal, Refusal } from "./shared";

export async function insertRefusals(db: Db, refusals: readonly NewRefusal[]): Promise<void> {
  if (refusals.length === 0) return;
  await db.$executeRaw`
    INSERT INTO gateway_refusal (at, key_id, organisation_id, request_id, endpoint, model, code, status, param, human_message, retry_after_seconds)
      SELECT at, "keyId", "organisationId", "requestId", endpoint, model, code, status, param, "humanMessage", "retryAfterSeconds"
        FROM json_to_recordset(${JSON.stringify(refusals)}::json)
             AS r(at timestamptz, "keyId" integer, "organisationId" integer, "requestId" uuid, endpoint text, model text, code text,
                  status smallint, param text, "humanMessage" text, "retryAfterSeconds" integer)`;
}

export function listRefusals(db: Db, keyId: number, limit: number): Promise<Refusal[]> {
  return db.$queryRaw<Refusal[]>`
    SELECT at, request_id::text AS "requestId", endpoint, model, code, status, param, human_message AS "humanMessage",
           retry_after_seconds AS "retryAfterSeconds"
      FROM gateway_refusal WHERE key_id = ${keyId} AND at > now() - interval '7 days' ORDER BY id DESC LIMIT ${limit}`;
}

export async function deleteRefusals(db: Db, days: number, most: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM gateway_refusal WHERE id IN (
      SELECT id FROM gateway_refusal WHERE at < now() - ${days}::integer * interval '1 day' ORDER BY at LIMIT ${most}::integer)`;
}
