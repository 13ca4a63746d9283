import type { Reads } from "~/db.server";
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
 * How many requests of a scope were refused before a supplier was called, by bucket and reason; buckets without any are missing.
 * Exact, and at most a second old. They are counted by the hour (UTC), so an hour that a local midnight cuts in two belongs to the
 * day in which it begins. Null: the scope is narrowed to models, suppliers or regions, of which counts know nothing.
 */
export async function countRejections(db: Reads, scope: UsageScope, span: UsageSpan): Promise<RejectionPoint[] | null> {
  return isNarrow(scope) ? null : sumRejectionsByBucket(db, scope, span);
}

/** The same counts over a whole span by reason, the most frequent first. */
export async function rejectionReasons(
  db: Reads,
  scope: UsageScope,
  span: { from: Date; to: Date },
): Promise<RejectionReason[] | null> {
  return isNarrow(scope) ? null : sumRejectionsByReason(db, scope, span);
}

/**
 * The same counts by group, over the whole span or by bucket (`bucket`): a key's by whose it is now. Null where the scope is narrowed
 * to models, suppliers or regions, or is told apart by them.
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
 * One page of the bursts of refusals of a scope, the last begun first; they are kept for seven days. A burst has the id of its
 * first request only: for the id of another, the bursts are found that went on when that id was made.
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

/** All matching bursts, page by page: nothing is kept open in the database between two pages. */
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

/** When an id of version 7 was made; null for other ids, and for times that no log has. */
function momentOf(id: string): Date | null {
  if (id[14] !== "7") return null;
  const at = new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16));
  return at.getUTCFullYear() < 2500 ? at : null;
}
