import type { Db } from "~/db.server";
import type { NewRejection, Rejection } from "./shared";

export async function insertRejections(db: Db, rejections: readonly NewRejection[]): Promise<void> {
  if (rejections.length === 0) return;
  await db.$executeRaw`
    INSERT INTO gateway_refusal (at, key_id, organisation_id, request_id, endpoint, model, code, status, param, human_message, retry_after_seconds, scope, wallet_id, details)
      SELECT at, "keyId", "organisationId", "requestId", endpoint, model, code, status, param, "humanMessage", "retryAfterSeconds", scope, "walletId", details
        FROM json_to_recordset(${JSON.stringify(rejections)}::json)
             AS r(at timestamptz, "keyId" integer, "organisationId" integer, "requestId" uuid, endpoint text, model text, code text,
                  status smallint, param text, "humanMessage" text, "retryAfterSeconds" integer, scope text, "walletId" bigint, details jsonb)`;
}

export function listRejections(db: Db, keyId: number, limit: number): Promise<Rejection[]> {
  return db.$queryRaw<Rejection[]>`
    SELECT at, request_id::text AS "requestId", endpoint, model, code, status, param, human_message AS "humanMessage",
           retry_after_seconds AS "retryAfterSeconds", details
      FROM gateway_refusal WHERE key_id = ${keyId} AND at > now() - interval '7 days' ORDER BY id DESC LIMIT ${limit}`;
}

export async function deleteRejections(db: Db, days: number, maximum: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM gateway_refusal WHERE id IN (
      SELECT id FROM gateway_refusal WHERE at < now() - ${days}::integer * interval '1 day' ORDER BY at LIMIT ${maximum}::integer)`;
}
