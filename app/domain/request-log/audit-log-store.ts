import type { Reads } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { AuditEntry, AuditFilter } from "./shared";

/** Returns finished calls with an id below `beforeId`, newest first. */
export function listAuditEntries(
  db: Reads,
  filter: AuditFilter,
  page: { beforeId: bigint | null; limit: number },
): PromiseLike<AuditEntry[]> {
  const { organisationId, keyId, model, supplier, region, since, until } = filter;
  const conditions = [Prisma.sql`u.organisation_id = ${organisationId}`];
  if (page.beforeId !== null) conditions.push(Prisma.sql`u.id < ${page.beforeId}`);
  if (keyId !== null) {
    conditions.push(
      Prisma.sql`u.key_id = (SELECT id FROM api_key WHERE public_id = ${keyId} AND organisation_id = ${organisationId})`,
    );
  }
  if (model !== null) conditions.push(Prisma.sql`u.model = ${model}`);
  if (supplier !== null) conditions.push(Prisma.sql`u.supplier = ${supplier}`);
  if (region !== null) conditions.push(Prisma.sql`lower(u.region COLLATE "C") = lower(${region}::text COLLATE "C")`);
  if (since !== null) conditions.push(Prisma.sql`u.started_at >= ${since}`);
  if (until !== null) conditions.push(Prisma.sql`u.started_at < ${until}`);
  return db.$queryRaw<AuditEntry[]>`
    SELECT ${ENTRY}
      FROM usage_event u LEFT JOIN api_key k ON k.id = u.key_id
     WHERE ${Prisma.join(conditions, " AND ")}
     ORDER BY u.id DESC LIMIT ${page.limit}`;
}

/** Why a call of `usage_event u` was free. */
export const NOT_CHARGED = Prisma.sql`CASE WHEN u.exempt THEN coalesce(u.routing->>'notCharged', 'exempt') END AS "notCharged"`;

const ENTRY = Prisma.sql`
  u.id, u.request_id::text AS "requestId", u.started_at AS "startedAt", coalesce(k.public_id, '') AS "keyId",
  u.endpoint, u.requested_model AS "requestedModel", u.model, u.supplier, u.region, u.stream,
  u.session_id AS "sessionId", u.input_tokens AS "inputTokens", u.cached_input_tokens AS "cachedInputTokens",
  u.output_tokens AS "outputTokens", u.reasoning_tokens AS "reasoningTokens", u.charged AS "chargedNanoUsd",
  u.outcome, u.status, u.error_code AS "errorCode", jsonb_array_length(u.attempts) AS attempts,
  u.first_byte_ms AS "firstByteMs", u.latency_ms AS "latencyMs", ${NOT_CHARGED}`;
