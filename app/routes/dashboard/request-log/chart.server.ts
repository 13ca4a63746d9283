import type { Db } from "~/connection/db.server";
import { countRequests } from "~/domain/request-log/index.server";
import type { RequestFilter } from "~/domain/request-log/shared";
import { countRejections, usageBuckets, usageSeries } from "~/domain/usage/index.server";
import type { RejectionPoint, UsageScope, UsageWindow } from "~/domain/usage/shared";
import type { RequestLogValues } from "./query.server";

/** Counts by bucket; null: not requested, or not counted with such a filter. */
export type LogChart = Record<"answered" | "failed" | "interrupted" | "rejected", number[] | null> & {
  buckets: Date[];
};

type ChartQuestion = { query: RequestLogValues; filter: RequestFilter; window: UsageWindow };

/**
 * Returns the number of requests in the log over time. Hourly sums contain answered, failed and rejected requests. For
 * filters on single requests the rows are counted, up to a maximum number (`tooMany`: there are more). Null: a single
 * hour or request needs no chart.
 */
export async function readChart(
  db: Db,
  scope: UsageScope,
  question: ChartQuestion,
): Promise<LogChart | "tooMany" | null> {
  const { query } = question;
  if ((query.hour ?? query.request) !== undefined || query.outcome === "in_flight") return null;
  if (query.outcome === "rejected") return rejectedOnly(db, scope, question);
  return isSummed(query) ? fromSums(db, scope, question) : fromRows(db, scope, question);
}

const isSummed = ({ outcome, ...query }: RequestLogValues) =>
  (outcome === undefined || outcome === "error") &&
  [
    ...[query.code, query.session, query.guardrail],
    ...[query.least_cost, query.most_cost, query.least_ms, query.most_ms],
  ].every((value) => value === undefined);

const NOTHING = { answered: null, failed: null, interrupted: null, rejected: null };

async function rejectedOnly(db: Db, scope: UsageScope, { query, window }: ChartQuestion): Promise<LogChart | null> {
  const { code, outcome: _, ...rest } = query;
  // Rejected requests have none of the fields of single-request filters.
  if (!isSummed(rest)) return null;
  const [buckets, points] = await Promise.all([usageBuckets(db, window), countRejections(db, scope, window)]);
  const matching = points?.filter((point) => code === undefined || point.code === code) ?? null;
  return { ...NOTHING, buckets, rejected: matching === null ? null : lineOf(buckets, matching) };
}

async function fromSums(db: Db, scope: UsageScope, { query, window }: ChartQuestion): Promise<LogChart> {
  const isAll = query.outcome === undefined;
  const [{ buckets, points }, rejections] = await Promise.all([
    usageSeries(db, scope, { ...window, groupBy: null }),
    isAll ? countRejections(db, scope, window) : null,
  ]);
  const at = new Map(points.map((point) => [point.bucket.getTime(), point]));
  const bucketPoints = buckets.map((bucket) => at.get(bucket.getTime()));
  return {
    ...NOTHING,
    buckets,
    answered: isAll ? bucketPoints.map((point) => (point ? point.requests - point.errors : 0)) : null,
    failed: bucketPoints.map((point) => point?.errors ?? 0),
    rejected: rejections === null ? null : lineOf(buckets, rejections),
  };
}

async function fromRows(
  db: Db,
  scope: UsageScope,
  { query, filter, window }: ChartQuestion,
): Promise<LogChart | "tooMany"> {
  const [buckets, counts] = await Promise.all([
    usageBuckets(db, window),
    countRequests(db, scope, { filter, span: window }),
  ]);
  if (counts === null) return "tooMany";
  const at = new Map(counts.map((count) => [count.bucket.getTime(), count]));
  const bucketPoints = buckets.map((bucket) => at.get(bucket.getTime()) ?? { requests: 0, errors: 0 });
  const all = bucketPoints.map(({ requests }) => requests);
  switch (query.outcome) {
    case "interrupted":
      return { ...NOTHING, buckets, interrupted: all };
    case "failed":
    case "error":
      return { ...NOTHING, buckets, failed: all };
    default:
      return {
        ...NOTHING,
        buckets,
        answered: bucketPoints.map(({ requests, errors }) => requests - errors),
        failed: query.outcome === "complete" ? null : bucketPoints.map(({ errors }) => errors),
      };
  }
}

/** Rejections per bucket, for all reasons together. */
function lineOf(buckets: readonly Date[], points: readonly RejectionPoint[]): number[] {
  const sums = new Map<number, number>();
  for (const { bucket, rejections } of points)
    sums.set(bucket.getTime(), (sums.get(bucket.getTime()) ?? 0) + rejections);
  return buckets.map((bucket) => sums.get(bucket.getTime()) ?? 0);
}
