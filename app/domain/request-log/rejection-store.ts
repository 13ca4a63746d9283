import type { Db } from "~/connection/db.server";
import { LATER_IDS, type Rejection, type RejectionBurst } from "./shared";

/** Inserts bursts. Every process locks the hourly rows in the same order. */
export async function insertRejections(db: Db, bursts: readonly RejectionBurst[]): Promise<void> {
  if (bursts.length === 0) return;
  await db.$executeRaw`
    WITH told AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(bursts)}::json)
        AS r(at timestamptz, "lastAt" timestamptz, times integer, "isFirst" boolean, "keyId" integer, "organisationId" integer, "requestId" uuid,
             endpoint text, model text, code text, status smallint, param text, "humanMessage" text, "retryAfterSeconds" integer, scope text,
             "walletId" bigint, details jsonb, "laterIds" uuid[])
    ), begun AS (
      INSERT INTO gateway_refusal (at, last_at, times, key_id, organisation_id, request_id, endpoint, model, code, status, param, human_message,
                                   retry_after_seconds, scope, wallet_id, details, later_ids)
        SELECT at, "lastAt", times, "keyId", "organisationId", "requestId", endpoint, model, code, status, param, "humanMessage",
               "retryAfterSeconds", scope, "walletId", details, "laterIds" FROM told WHERE "isFirst"
    ), gone_on AS (
      UPDATE gateway_refusal r SET times = r.times + t.times, last_at = greatest(r.last_at, t."lastAt"),
             later_ids = (r.later_ids || t."laterIds")[greatest(cardinality(r.later_ids) + cardinality(t."laterIds") - ${LATER_IDS - 1}::integer, 1):]
        FROM told t WHERE NOT t."isFirst" AND r.request_id = t."requestId" AND r.key_id = t."keyId"
    )
    INSERT INTO refusal_hour (hour, key_id, code, scope, refusals, last_at)
      SELECT date_trunc('hour', at, 'UTC'), "keyId", code, coalesce(scope, ''), sum(times), max("lastAt") FROM told
       GROUP BY 1, 2, 3, 4 ORDER BY 2, 1, 3, 4
    ON CONFLICT (key_id, hour, code, scope) DO UPDATE
      SET refusals = refusal_hour.refusals + excluded.refusals, last_at = greatest(refusal_hour.last_at, excluded.last_at)`;
}

export function listRejections(db: Db, keyId: number, limit: number): Promise<Rejection[]> {
  return db.$queryRaw<Rejection[]>`
    SELECT last_at AS at, times, request_id::text AS "requestId", endpoint, model, code, status, param, human_message AS "humanMessage",
           retry_after_seconds AS "retryAfterSeconds", details
      FROM (SELECT * FROM gateway_refusal WHERE key_id = ${keyId} AND at > now() - interval '7 days' ORDER BY id DESC LIMIT ${limit}) r
     ORDER BY last_at DESC, id DESC`;
}

export async function sumRejections(db: Db, keyIds: readonly number[], since: Date): Promise<Map<number, number>> {
  const rows = await db.$queryRaw<{ id: number; refusals: bigint }[]>`
    SELECT key_id AS id, sum(refusals)::bigint AS refusals FROM refusal_hour
     WHERE key_id = ANY (${[...keyIds]}::int[]) AND hour >= date_trunc('hour', ${since}::timestamptz, 'UTC') GROUP BY key_id`;
  return new Map(rows.map(({ id, refusals }) => [id, Number(refusals)]));
}

/** `scope`: owner of the budget that rejected, with its id now. `maxCostNanoUsd`: of the rejected request; null: unknown. */
export type RejectedKey = {
  keyId: number;
  code: string;
  since: Date;
  scope: string | null;
  scopeId: number | null;
  maxCostNanoUsd: bigint | null;
};

/**
 * Returns the keys whose latest request was rejected with one of `codes` at or after `newest`, with the first such rejection after the
 * last admitted request; if its details are deleted, the start of its hour. Five index look-ups per key.
 */
export function findRejectedSince(
  db: Db,
  keyIds: readonly number[],
  { codes, newest }: { codes: readonly string[]; newest: Date },
): Promise<RejectedKey[]> {
  return db.$queryRaw<RejectedKey[]>`
    SELECT k.id AS "keyId", r.code, CASE WHEN h.hour < date_trunc('hour', f.since, 'UTC') THEN h.hour ELSE f.since END AS since,
           r.scope, round((r.details->>'max_cost')::numeric * 1e9)::bigint AS "maxCostNanoUsd",
           CASE r.scope WHEN 'user' THEN a.user_id WHEN 'department' THEN a.department_id WHEN 'project' THEN a.project_id
                        WHEN 'organisation' THEN a.organisation_id ELSE k.id END AS "scopeId"
      FROM unnest(${[...keyIds]}::int[]) k(id)
     CROSS JOIN LATERAL (SELECT code, last_at, scope, details FROM gateway_refusal WHERE key_id = k.id ORDER BY id DESC LIMIT 1) r
      LEFT JOIN LATERAL (SELECT started_at FROM usage_event WHERE key_id = k.id ORDER BY id DESC LIMIT 1) u ON true
     CROSS JOIN LATERAL (
       SELECT min(at) AS since FROM gateway_refusal g
        WHERE g.key_id = k.id AND g.code = r.code AND g.last_at > coalesce(u.started_at, '-infinity')) f
      LEFT JOIN LATERAL (
       SELECT hour FROM refusal_hour h
        WHERE h.key_id = k.id AND h.code = r.code AND h.hour > coalesce(u.started_at, '-infinity') ORDER BY hour LIMIT 1) h ON true
      LEFT JOIN api_key a ON a.id = k.id
     WHERE r.code = ANY (${[...codes]}::text[]) AND r.last_at >= ${newest} AND r.last_at > coalesce(u.started_at, '-infinity')`;
}

export async function deleteRejections(db: Db, days: number, maximum: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM gateway_refusal WHERE id IN (
      SELECT id FROM gateway_refusal WHERE at < now() - ${days}::integer * interval '1 day' ORDER BY at LIMIT ${maximum}::integer)`;
}

export async function deleteRejectionHours(db: Db, days: number, maximum: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM refusal_hour WHERE (key_id, hour, code, scope) IN (
      SELECT key_id, hour, code, scope FROM refusal_hour WHERE hour < now() - ${days}::integer * interval '1 day'
       ORDER BY hour LIMIT ${maximum}::integer)`;
}
