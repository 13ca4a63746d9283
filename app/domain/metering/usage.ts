import type { Reads } from "~/db.server";
import { settledCallsPosted } from "~/domain/accounting/index.server";
import type { UsageGroup, UsagePoint, UsageScope, UsageTotal } from "./shared";
import { findCompleteBefore, listBuckets, pagesByBucket, type Span, sumByBucket, sumByGroup } from "./usage-store";

/** A span of time, cut into buckets. `from` is inclusive, `to` is not; both may be any moment. */
export type UsageSpan = Span;

/**
 * Sums of finished calls by bucket, for charts: `buckets` are the starts of all buckets, `points` those that have calls,
 * by bucket and group. A call counts at its start. Exact to the nano-dollar: the points of any span add up to the usage
 * rows of that span, in every time zone and on days of 23 and 25 hours. `day` buckets begin at local midnight, also
 * where that is not a whole hour of UTC; `hour` buckets are the hours of UTC everywhere, so with such a time zone their
 * labels end in :30 or :45.
 * @throws RangeError for a time zone that does not exist, or more than 5,000 buckets.
 */
export async function usageSeries(
  db: Reads,
  scope: UsageScope,
  ask: UsageSpan & { groupBy?: UsageGroup | null },
): Promise<{ buckets: Date[]; points: UsagePoint[] }> {
  check(ask);
  const points = async () => sumByBucket(db, scope, { ...ask, ...(await usageReady(db)) }, ask.groupBy ?? null);
  const [buckets, found] = await Promise.all([listBuckets(db, ask), points()]);
  return { buckets, points: found };
}

/** The starts of all buckets of a span, as `usageSeries` has them. @throws as that. */
export function usageBuckets(db: Reads, ask: UsageSpan): Promise<Date[]> {
  check(ask);
  return listBuckets(db, ask);
}

/** The points of `usageSeries`, so many at a time where `db` is a snapshot, else all at once. @throws as that. */
export async function* usagePages(
  db: Reads,
  scope: UsageScope,
  ask: UsageSpan & { groupBy: UsageGroup | null; rowsAtOnce: number },
): AsyncGenerator<UsagePoint[], void, undefined> {
  check(ask);
  yield* pagesByBucket(
    db,
    scope,
    { ...ask, ...(await usageReady(db)) },
    { group: ask.groupBy, rowsAtOnce: ask.rowsAtOnce },
  );
}

/**
 * Sums of finished calls over a whole span, by group, the dearest first; without `groupBy` one row, or none when there
 * was no call. The same numbers as `usageSeries`, added up. `page`: only so many of them, behind so many.
 */
export async function usageTotals(
  db: Reads,
  scope: UsageScope,
  ask: { from: Date; to: Date; groupBy?: UsageGroup | null; page?: { limit: number; offset: number } },
): Promise<UsageTotal[]> {
  const span = { from: ask.from, to: ask.to, ...(await usageReady(db)) };
  return sumByGroup(db, scope, span, { group: ask.groupBy ?? null, page: ask.page ?? null });
}

/** All of this process's own calls are there; and as far as whole days are. */
export async function usageReady(db: Reads): Promise<{ completeBefore: Date | null }> {
  const [completeBefore] = await Promise.all([findCompleteBefore(db), settledCallsPosted()]);
  return { completeBefore };
}

const MAX_BUCKETS = 5_000;
const HOUR_MS = 3_600_000;

function check({ from, to, bucket, timeZone }: Span): void {
  const hours = (to.getTime() - from.getTime()) / HOUR_MS;
  if ((bucket === "day" ? hours / 24 : hours) > MAX_BUCKETS) throw new RangeError("too many buckets");
  // Throws for a name that is no time zone, before the database does.
  new Intl.DateTimeFormat("en", { timeZone });
}
