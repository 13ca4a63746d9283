import type { Reads } from "~/connection/db.server";
import {
  listRejectedRequests,
  type RejectionGroup,
  sumRejectionsByBucket,
  sumRejectionsByGroup,
  sumRejectionsByReason,
} from "./rejected-requests-store";
import type {
  GroupRejections,
  RejectedRequests,
  RejectionFilter,
  RejectionPoint,
  RejectionReason,
  UsageGroup,
  UsageScope,
} from "./shared";
import type { UsageSpan } from "./usage";

const PAGE = 500;

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

/**
 * Returns one page of a scope's bursts of rejections, latest start first; retained for seven days. A burst stores the id of its first
 * request only. A search for another id returns the bursts that were going on when that id was created.
 */
export async function readRejectedRequests(
  db: Reads,
  scope: UsageScope,
  ask: { filter: RejectionFilter; beforeId: bigint | null; limit: number },
): Promise<{ rejected: RejectedRequests[]; nextBeforeId: bigint | null }> {
  const { filter, beforeId, limit } = ask;
  let found = await listRejectedRequests(db, scope, { filter, beforeId, limit: limit + 1 });
  const moment = filter.requestId === undefined ? null : momentOf(filter.requestId);
  if (found.length === 0 && moment !== null) {
    const around = { ...filter, requestId: undefined, moment };
    found = await listRejectedRequests(db, scope, { filter: around, beforeId, limit: limit + 1 });
  }
  const rejected = found.slice(0, limit);
  return { rejected, nextBeforeId: found.length > limit ? (rejected.at(-1)?.id ?? null) : null };
}

/** Yields all matching bursts page by page; no transaction stays open between two pages. */
export async function* exportRejectedRequests(
  db: Reads,
  scope: UsageScope,
  filter: RejectionFilter,
): AsyncGenerator<RejectedRequests[], void, undefined> {
  let beforeId: bigint | null = null;
  do {
    const page: Awaited<ReturnType<typeof readRejectedRequests>> = await readRejectedRequests(db, scope, {
      ...{ filter, beforeId, limit: PAGE },
    });
    yield page.rejected;
    beforeId = page.nextBeforeId;
  } while (beforeId !== null);
}

/** Creation time of a UUIDv7; null for other ids, and for years from 2500 on. */
function momentOf(id: string): Date | null {
  if (id[14] !== "7") return null;
  const at = new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16));
  return at.getUTCFullYear() < 2500 ? at : null;
}
