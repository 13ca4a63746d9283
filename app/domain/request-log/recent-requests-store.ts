import type { Db } from "~/connection/db.server";
import type { Scope } from "~/domain/accounts/shared";
import { Prisma } from "~/generated/prisma/client";
import type { RecentRequest } from "./shared";

const RECENT = Prisma.sql`u.id, u.request_id::text AS "requestId", u.started_at AS "startedAt", u.key_id AS "keyId",
  coalesce(k.name, '') AS "keyName", u.endpoint, u.requested_model AS "requestedModel", u.model, u.supplier, u.region,
  u.status, u.outcome, u.error_code AS "errorCode", jsonb_array_length(u.attempts) AS attempts,
  u.input_tokens AS "inputTokens", u.output_tokens AS "outputTokens", u.latency_ms AS "latencyMs",
  u.charged AS "chargedNanoUsd"`;

/**
 * Returns the newest calls of a scope, latest start first. An index has the calls of each organisation and key by age: the newest of each are read, then the
 * newest of those. The cost does not grow with the number of calls.
 */
export function findRecentRequests(db: Db, scope: Scope, limit: number): Promise<RecentRequest[]> {
  return db.$queryRaw`
    SELECT ${RECENT} FROM (${newestOf(scope, limit)} ORDER BY id DESC LIMIT ${limit}) u
      LEFT JOIN api_key k ON k.id = u.key_id ORDER BY u.started_at DESC, u.id DESC`;
}

function newestOf(scope: Scope, limit: number): Prisma.Sql {
  switch (scope.kind) {
    case "everything":
      return Prisma.sql`SELECT e.* FROM organisation o CROSS JOIN LATERAL (
        SELECT * FROM usage_event WHERE organisation_id = o.id ORDER BY id DESC LIMIT ${limit}) e`;
    case "organisation":
      return Prisma.sql`SELECT * FROM usage_event WHERE organisation_id = ${scope.organisationId}`;
    case "department":
      return Prisma.sql`SELECT e.* FROM api_key k CROSS JOIN LATERAL (
        SELECT * FROM usage_event WHERE key_id = k.id ORDER BY id DESC LIMIT ${limit}) e
        WHERE k.organisation_id = ${scope.organisationId} AND k.department_id = ${scope.departmentId}`;
    case "own":
      return Prisma.sql`SELECT e.* FROM api_key k CROSS JOIN LATERAL (
        SELECT * FROM usage_event WHERE key_id = k.id ORDER BY id DESC LIMIT ${limit}) e WHERE k.user_id = ${scope.userId}`;
  }
}

/** Returns the last use of each key: its last finished call or rejected request; unused keys are absent. */
export async function findLastUses(db: Db, keyIds: readonly number[]): Promise<Map<number, Date>> {
  const rows = await db.$queryRaw<{ id: number; at: Date }[]>`
    SELECT k.id, greatest(u.started_at, r.last_at) AS at FROM unnest(${[...keyIds]}::int[]) AS k(id)
      LEFT JOIN LATERAL (SELECT started_at FROM usage_event WHERE key_id = k.id ORDER BY id DESC LIMIT 1) u ON true
      LEFT JOIN LATERAL (SELECT max(last_at) AS last_at FROM refusal_hour WHERE key_id = k.id) r ON true
     WHERE u.started_at IS NOT NULL OR r.last_at IS NOT NULL`;
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** Returns the first call with one of a person's keys. */
export async function findFirstRequest(db: Db, userId: number): Promise<RecentRequest | null> {
  const [row] = await db.$queryRaw<RecentRequest[]>`
    SELECT ${RECENT} FROM api_key k CROSS JOIN LATERAL (
      SELECT * FROM usage_event WHERE key_id = k.id ORDER BY id LIMIT 1) u
     WHERE k.user_id = ${userId} ORDER BY u.id LIMIT 1`;
  return row ?? null;
}
