import type { Reads } from "~/connection/db.server";
import type { UsageScope } from "~/domain/usage/shared";
import { listRejectedRequests } from "./rejected-requests-store";
import type { RejectedRequests, RejectionFilter } from "./shared";

const PAGE = 500;

/**
 * Returns one page of a scope's bursts of rejections, latest start first; retained for seven days. A burst stores the id of its first
 * request only. A search for another id returns the bursts that were going on when that id was created.
 */
export async function readRejectedRequests(
  db: Reads,
  scope: UsageScope,
  query: { filter: RejectionFilter; beforeId: bigint | null; limit: number },
): Promise<{ rejected: RejectedRequests[]; nextBeforeId: bigint | null }> {
  const { filter, beforeId, limit } = query;
  let rows = await listRejectedRequests(db, scope, { filter, beforeId, limit: limit + 1 });
  const moment = filter.requestId === undefined ? null : momentOf(filter.requestId);
  if (rows.length === 0 && moment !== null) {
    const around = { ...filter, requestId: undefined, moment };
    rows = await listRejectedRequests(db, scope, { filter: around, beforeId, limit: limit + 1 });
  }
  const rejected = rows.slice(0, limit);
  return { rejected, nextBeforeId: rows.length > limit ? (rejected.at(-1)?.id ?? null) : null };
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
