import type { Reads } from "~/connection/db.server";
import type { UsageScope } from "~/domain/usage/shared";
import { listRejectedRequests, type StoredFilter } from "./rejected-requests-store";
import type { RejectedRequests, RejectionFilter } from "./shared";

const PAGE = 500;

/**
 * Returns one page of a scope's bursts of rejections, latest start first; retained for seven days. A burst stores the ids of its first
 * and of its latest requests. A search for another id returns the bursts that were going on when that id was created: `isExact` is then
 * false.
 */
export async function readRejectedRequests(
  db: Reads,
  scope: UsageScope,
  query: { filter: RejectionFilter; beforeId: bigint | null; limit: number },
): Promise<{ rejected: RejectedRequests[]; nextBeforeId: bigint | null; isExact: boolean }> {
  const { beforeId, limit } = query;
  const searches = searchesFor(query.filter);
  let rows: RejectedRequests[] = [];
  let isExact = true;
  for (const filter of searches) {
    rows = await listRejectedRequests(db, scope, { filter, beforeId, limit: limit + 1 });
    isExact = filter.moment === undefined || filter.laterId !== undefined;
    if (rows.length > 0) break;
  }
  const rejected = rows.slice(0, limit);
  return { rejected, nextBeforeId: rows.length > limit ? (rejected.at(-1)?.id ?? null) : null, isExact };
}

/** The filters to try in turn, until one finds a burst. */
function searchesFor(filter: RejectionFilter): StoredFilter[] {
  const { requestId } = filter;
  const moment = requestId === undefined ? null : momentOf(requestId);
  if (moment === null) return [filter];
  const around = { ...filter, requestId: undefined, moment };
  return [filter, { ...around, laterId: requestId }, around];
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
      filter,
      beforeId,
      limit: PAGE,
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
