import type { Reads } from "~/db.server";
import type { SupplierErrors } from "./shared";

/** More attempts than that say nothing new about an hour, and would take long to read. */
const MAX_READ = 100_000;

/**
 * Attempts at each supplier since a moment, in slots of so many seconds from it, and those at which the supplier failed, also
 * where another one answered the call; not those whose client left, or whose request the supplier found fault with. Slots without any
 * are missing. Of more than a hundred thousand calls the newest are read.
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
