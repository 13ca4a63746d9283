import type { Reads } from "~/connection/db.server";
import { type UsageSpan, usageBuckets } from "./usage";

/** Maximum buckets of one stretch; fewer if they would have more rows than wanted. */
const MAX_BUCKETS_AT_ONCE = 24;

/**
 * Yields the rows of a span in order of time. `read` returns the rows of a stretch of buckets. The size of the next
 * stretch is chosen for about `rowsAtOnce` rows.
 */
export async function* inStretches<Row>(
  db: Reads,
  span: UsageSpan & { rowsAtOnce: number },
  read: (stretch: { from: Date; to: Date }) => AsyncIterable<Row[]>,
): AsyncGenerator<Row[], void, undefined> {
  const buckets = await usageBuckets(db, span);
  for (let first = 0, count = 1; first < buckets.length; ) {
    const start = buckets[first] as Date;
    const stretch = { from: start < span.from ? span.from : start, to: buckets[first + count] ?? span.to };
    let found = 0;
    for await (const rows of read(stretch)) {
      found += rows.length;
      yield rows;
    }
    first += count;
    const wanted = Math.floor((count * span.rowsAtOnce) / Math.max(found, 1));
    count = Math.min(Math.max(wanted, 1), MAX_BUCKETS_AT_ONCE);
  }
}
