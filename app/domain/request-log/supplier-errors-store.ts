import type { Reads } from "~/connection/db.server";
import type { SupplierErrors } from "./shared";

/** Maximum calls to read; more would take long and not change the picture of an hour. */
const MAX_READ = 100_000;

/**
 * Returns the attempts at each supplier since a time, in slots of seconds, and the failed ones among them, also if another supplier then
 * answered. Excludes attempts whose client disconnected or whose request was invalid. Empty slots are absent. Reads at most the newest
 * 100,000 calls.
 */
export const readSupplierErrors = (
  db: Reads,
  since: Date,
  { slotSeconds }: { slotSeconds: number },
): PromiseLike<SupplierErrors[]> => db.$queryRaw<SupplierErrors[]>`
  SELECT a ->> 'supplier' AS supplier, floor(extract(epoch FROM e.started_at - ${since}::timestamptz) / ${slotSeconds}::integer)::integer AS slot,
         count(*)::integer AS attempts, count(*) FILTER (WHERE a ->> 'outcome' IN ('not_executed', 'failed_billed', 'unknown'))::integer AS failed
    FROM (SELECT started_at, attempts FROM usage_event WHERE started_at >= ${since}::timestamptz ORDER BY id DESC LIMIT ${MAX_READ}::integer) e
   CROSS JOIN LATERAL jsonb_array_elements(e.attempts) a
   GROUP BY 1, 2 ORDER BY 1, 2`;
