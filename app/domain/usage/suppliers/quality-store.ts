import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { QualityGroup, QualityRow } from "../shared";

/** An organisation that has opted in, with the minimum size of a group that contains its calls. */
export type QualityOptIn = { id: number; minimum: number };

/** Returns the organisations that have opted in, by id. */
export const findQualityOptIns = (db: Db): Promise<QualityOptIn[]> =>
  db.$queryRaw`
    SELECT id, quality_minimum AS minimum FROM organisation WHERE quality_opt_in AND closed_at IS NULL ORDER BY id`;

/**
 * Returns figures of finished calls of organisations that have opted in, by model and supplier. A group has at least the number of calls
 * that its strictest organisation demands; smaller groups are left out and counted nowhere.
 */
export function groupByQuality(
  db: Db,
  query: { from: Date; to: Date; group: QualityGroup; optIns: readonly QualityOptIn[] },
): Promise<QualityRow[]> {
  const model = query.group === "supplier" ? Prisma.sql`''` : Prisma.sql`u.model`;
  const supplier = query.group === "model" ? Prisma.sql`''` : Prisma.sql`u.supplier`;
  return db.$queryRaw<QualityRow[]>`
    SELECT ${model} AS model, ${supplier} AS supplier, count(*)::integer AS requests,
           count(*) FILTER (WHERE u.outcome = 'complete')::integer AS complete,
           count(*) FILTER (WHERE u.outcome = 'complete' AND u.output_tokens = 0 AND u.endpoint IN ('chat/completions', 'messages', 'responses', 'vendorb/responses'))::integer AS empty,
           count(*) FILTER (WHERE u.outcome IN ('upstream_abort', 'recovered'))::integer AS truncated,
           count(*) FILTER (WHERE u.outcome = 'client_abort')::integer AS "clientAborts",
           count(*) FILTER (WHERE u.outcome IN ('error', 'not_executed'))::integer AS failed,
           count(*) FILTER (WHERE jsonb_array_length(u.attempts) > 1)::integer AS retried,
           count(*) FILTER (WHERE u.outcome IN ('error', 'not_executed') AND ${RATE_LIMITED})::integer AS "rateLimited",
           count(*) FILTER (WHERE u.outcome IN ('error', 'not_executed') AND NOT ${RATE_LIMITED} AND ${TIMED_OUT})::integer AS "timedOut",
           count(*) FILTER (WHERE u.outcome IN ('error', 'not_executed') AND NOT ${RATE_LIMITED} AND NOT ${TIMED_OUT} AND u.status >= 500)::integer AS unavailable,
           count(*) FILTER (WHERE u.outcome IN ('error', 'not_executed') AND NOT ${RATE_LIMITED} AND NOT ${TIMED_OUT} AND u.status < 500)::integer AS refused,
           percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY u.latency_ms) FILTER (WHERE u.outcome = 'complete') AS "latencyMs",
           percentile_disc(0.5) WITHIN GROUP (ORDER BY u.first_byte_ms) AS "firstByteMs"
      FROM usage_event u
      JOIN unnest(${query.optIns.map(({ id }) => id)}::int[], ${query.optIns.map(({ minimum }) => minimum)}::int[]) AS o(id, minimum)
        ON o.id = u.organisation_id
     WHERE u.started_at >= ${query.from} AND u.started_at < ${query.to} AND u.supplier <> ''
     GROUP BY 1, 2 HAVING count(*) >= max(o.minimum)
     ORDER BY count(*) DESC, 1, 2 LIMIT 500`;
}

const RATE_LIMITED = Prisma.sql`(u.status = 429 OR u.error_code = 'rate_limit_exceeded')`;
const TIMED_OUT = Prisma.sql`(u.status IN (408, 504) OR coalesce(u.error_code, '') LIKE '%timeout%')`;
