import type { Db } from "~/connection/db.server";
import type { StatusDay } from "../shared";

/**
 * Returns figures of models since a time by UTC day and region, over all customers: one row per model, region and day.
 */
export const readStatusDays = (db: Db, since: Date, models: readonly string[]): Promise<StatusDay[]> =>
  db.$queryRaw<StatusDay[]>`
    SELECT date_trunc('day', at, 'UTC') AS day, model, region, sum(requests)::integer AS requests, sum(errors)::integer AS errors,
           sum(latency_ms)::bigint AS "latencyMs", sum(first_byte_ms)::bigint AS "firstByteMs", sum(first_bytes)::integer AS "firstBytes"
      FROM usage_model_sum
     WHERE at >= ${since}::timestamptz AND model = ANY (${[...models]}::text[])
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
