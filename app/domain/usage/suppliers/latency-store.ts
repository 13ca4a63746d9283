import type { Reads } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { LatencySpread } from "../shared";

/**
 * Returns median and 95th percentile of the durations of answered calls since a time, over all customers: by model, or for one model by
 * supplier.
 */
export function readLatencySpread(db: Reads, since: Date, modelId: string | null): PromiseLike<LatencySpread[]> {
  const group = modelId === null ? Prisma.sql`model` : Prisma.sql`supplier`;
  return db.$queryRaw<LatencySpread[]>`
    SELECT ${group} AS "group", count(*)::integer AS requests,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY latency_ms) AS "latencyP50",
           percentile_cont(0.95) WITHIN GROUP (ORDER BY latency_ms) AS "latencyP95",
           percentile_cont(0.5) WITHIN GROUP (ORDER BY first_byte_ms) AS "firstByteP50",
           percentile_cont(0.95) WITHIN GROUP (ORDER BY first_byte_ms) AS "firstByteP95"
      FROM usage_event
     WHERE started_at >= ${since}::timestamptz AND outcome IN ('complete', 'client_abort')
       AND (${modelId}::text IS NULL OR model = ${modelId})
     GROUP BY 1`;
}
