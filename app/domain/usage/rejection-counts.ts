import type { Reads } from "~/connection/db.server";
import {
  type RejectionGroup,
  sumRejectionsByBucket,
  sumRejectionsByGroup,
  sumRejectionsByReason,
} from "./rejection-counts-store";
import type { GroupRejections, Rejected, RejectionPoint, RejectionReason, UsageGroup, UsageScope } from "./shared";
import type { UsageSpan } from "./usage";

/**
 * Returns the number of requests of a scope rejected before a supplier was called, by bucket and reason; empty buckets are absent. Exact,
 * and at most a second old. Counts are by UTC hour, so an hour with a local midnight belongs to the day in which it begins. Null: the
 * scope filters by models, suppliers or regions, which the counts do not have.
 */
export async function countRejections(db: Reads, scope: UsageScope, span: UsageSpan): Promise<RejectionPoint[] | null> {
  return isNarrow(scope) ? null : sumRejectionsByBucket(db, scope, span);
}

/** The same counts over a span by reason, most frequent first. */
export async function rejectionReasons(
  db: Reads,
  scope: UsageScope,
  span: { from: Date; to: Date },
): Promise<RejectionReason[] | null> {
  return isNarrow(scope) ? null : sumRejectionsByReason(db, scope, span);
}

/**
 * The same counts by group, over the span or by `bucket`. A key counts for its current owner. Null: the scope filters or groups by
 * models, suppliers or regions.
 */
export async function rejectionsByGroup(
  db: Reads,
  scope: UsageScope,
  ask: { from: Date; to: Date; timeZone: string; bucket: UsageSpan["bucket"] | null; groupBy: UsageGroup },
): Promise<GroupRejections[] | null> {
  const { groupBy: group, ...span } = ask;
  return isNarrow(scope) || !isOwner(group) ? null : sumRejectionsByGroup(db, scope, { ...span, group });
}

const isOwner = (group: UsageGroup): group is RejectionGroup =>
  group !== "model" && group !== "supplier" && group !== "region";

const isNarrow = ({ models, suppliers, regions }: UsageScope) =>
  models !== undefined || suppliers !== undefined || regions !== undefined;

/** Sums the rejections of two windows: the previous one, and the current one from `from` on. */
export function rejectedOf(buckets: readonly Date[], from: Date, all: readonly RejectionPoint[]): Rejected {
  const places = new Map(buckets.map((bucket, place) => [bucket.getTime(), place]));
  const line = buckets.map(() => 0);
  const codes = new Map<string, Rejected["codes"][number]>();
  let before = 0;
  for (const { bucket, code, rejections } of all) {
    const place = places.get(bucket.getTime());
    if (bucket < from) before += rejections;
    if (bucket < from || place === undefined) continue;
    const entry = codes.get(code) ?? { code, rejections: 0, line: buckets.map(() => 0) };
    codes.set(code, entry);
    entry.rejections += rejections;
    entry.line[place] = (entry.line[place] ?? 0) + rejections;
    line[place] = (line[place] ?? 0) + rejections;
  }
  const sorted = [...codes.values()].toSorted((a, b) => b.rejections - a.rejections);
  return { now: sorted.reduce((sum, { rejections }) => sum + rejections, 0), before, line, codes: sorted };
}
