import type { Reads } from "~/connection/db.server";
import { settledCallsPosted } from "~/domain/accounting/index.server";
import type { UsageGroup, UsagePoint, UsageScope, UsageTotal } from "./shared";
import { findCompleteBefore, listBuckets, pagesByBucket, type Span, sumByBucket, sumByGroup } from "./usage-store";

/** A time span with buckets. `from` is inclusive, `to` is exclusive; both may be any time. */
export type UsageSpan = Span;

/**
 * Returns sums of finished calls by bucket, for charts: `buckets` are the starts of all buckets, `points` the sums of buckets and groups
 * with calls. A call counts at its start. Exact to the nano-dollar: the points of a span equal its usage rows, in every time zone and on
 * days of 23 and 25 hours. `day` buckets begin at local midnight, even if that is no whole UTC hour. `hour` buckets are UTC hours
 * everywhere, so in such a time zone their labels end in :30 or :45.
 * @throws RangeError for an unknown time zone or more than 5,000 buckets.
 */
export async function usageSeries(
  db: Reads,
  scope: UsageScope,
  query: UsageSpan & { groupBy?: UsageGroup | null },
): Promise<{ buckets: Date[]; points: UsagePoint[] }> {
  check(query);
  const points = async () => sumByBucket(db, scope, { ...query, ...(await usageReady(db)) }, query.groupBy ?? null);
  const [buckets, rows] = await Promise.all([listBuckets(db, query), points()]);
  return { buckets, points: rows };
}

/** Returns the starts of all buckets of a span. Same errors as `usageSeries`. */
export function usageBuckets(db: Reads, query: UsageSpan): Promise<Date[]> {
  check(query);
  return listBuckets(db, query);
}

/** Yields the points of `usageSeries`: `rowsAtOnce` at a time if `db` is a snapshot, else all at once. Same errors. */
export async function* usagePages(
  db: Reads,
  scope: UsageScope,
  query: UsageSpan & { groupBy: UsageGroup | null; rowsAtOnce: number },
): AsyncGenerator<UsagePoint[], void, undefined> {
  check(query);
  yield* pagesByBucket(
    db,
    scope,
    { ...query, ...(await usageReady(db)) },
    { group: query.groupBy, rowsAtOnce: query.rowsAtOnce },
  );
}

/**
 * Returns sums of finished calls over a span by group, highest cost first; without `groupBy` one row, or none without calls. They equal
 * the sums of `usageSeries`. `page`: limit and offset.
 */
export async function usageTotals(
  db: Reads,
  scope: UsageScope,
  query: { from: Date; to: Date; groupBy?: UsageGroup | null; page?: { limit: number; offset: number } },
): Promise<UsageTotal[]> {
  const span = { from: query.from, to: query.to, ...(await usageReady(db)) };
  return sumByGroup(db, scope, span, { group: query.groupBy ?? null, page: query.page ?? null });
}

/** Waits until this process's calls are posted. Returns the time before which daily sums are complete. */
export async function usageReady(db: Reads): Promise<{ completeBefore: Date | null }> {
  const [completeBefore] = await Promise.all([findCompleteBefore(db), settledCallsPosted()]);
  return { completeBefore };
}

const MAX_BUCKETS = 5_000;
const HOUR_MS = 3_600_000;

function check({ from, to, bucket, timeZone }: Span): void {
  const hours = (to.getTime() - from.getTime()) / HOUR_MS;
  if ((bucket === "day" ? hours / 24 : hours) > MAX_BUCKETS) throw new RangeError("too many buckets");
  // Throws for an unknown time zone before the database would.
  new Intl.DateTimeFormat("en", { timeZone });
}
