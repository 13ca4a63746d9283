import type { Reads } from "~/connection/db.server";
import {
  type RejectionGroup,
  sumRejectionsByBucket,
  sumRejectionsByGroup,
  sumRejectionsByReason,
} from "./rejection-counts-store";
import type { GroupRejections, RejectionPoint, RejectionReason, UsageGroup, UsageScope } from "./shared";
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
