import type { Db, Reads } from "~/connection/db.server";
import { settledCallsPosted } from "~/domain/accounting/index.server";
import { frozenPayerReason } from "~/domain/payers/shared";
import { type UsageSpan, usageTotals } from "~/domain/usage/index.server";
import type { UsageScope } from "~/domain/usage/shared";
import { countRequestsByBucket, findRequest, listRequests, listRouted } from "./request-log-store";
import { hasIndexOfItsOwn } from "./request-source-store";
import type { LoggedRequest, RequestCount, RequestDetail, RequestFilter, RoutedRequest } from "./shared";

const PAGE = 500;

/**
 * Returns one page of a scope's finished calls, newest first. `nextBeforeId` starts the next page; null: this is the last one. Calls that
 * finish meanwhile do not shift pages.
 */
export async function readRequests(
  db: Reads,
  scope: UsageScope,
  query: { filter: RequestFilter; beforeId: bigint | null; limit: number },
): Promise<{ requests: LoggedRequest[]; nextBeforeId: bigint | null }> {
  const rows = await listRequests(db, scope, { ...query, limit: query.limit + 1 });
  const requests = rows.slice(0, query.limit);
  return { requests, nextBeforeId: rows.length > requests.length ? (requests.at(-1)?.id ?? null) : null };
}

/** Yields all matching calls page by page, newest first; no transaction stays open between two pages. */
export async function* exportRequests(
  db: Reads,
  scope: UsageScope,
  filter: RequestFilter,
): AsyncGenerator<LoggedRequest[], void, undefined> {
  let beforeId: bigint | null = null;
  do {
    const page: Awaited<ReturnType<typeof readRequests>> = await readRequests(db, scope, {
      filter,
      beforeId,
      limit: PAGE,
    });
    yield page.requests;
    beforeId = page.nextBeforeId;
  } while (beforeId !== null);
}

/** Returns one page of routed requests since a time, latest first. `nextBeforeId` starts the next page; null: this is the last one. */
export async function readRoutedRequests(
  db: Db,
  scope: UsageScope,
  ask: { from: Date; beforeId: bigint | null; limit: number },
): Promise<{ requests: RoutedRequest[]; nextBeforeId: bigint | null }> {
  const rows = await listRouted(db, scope, { ...ask, limit: ask.limit + 1 });
  const requests = rows.slice(0, ask.limit);
  return { requests, nextBeforeId: rows.length > requests.length ? (requests.at(-1)?.id ?? null) : null };
}

/** Maximum rows to examine for a count. */
const LOOKED_AT = 10_000;

/**
 * Returns the exact number of finished calls of a scope that match a filter, by bucket; empty buckets are absent. Null: more than 10,000
 * rows would have to be examined. The span replaces `since` and `until` of the filter.
 */
export async function countRequests(
  db: Reads,
  scope: UsageScope,
  { filter, span, limit = LOOKED_AT }: { filter: RequestFilter; span: UsageSpan; limit?: number },
): Promise<RequestCount[] | null> {
  // The usage sums know the number of all calls.
  const totals = hasIndexOfItsOwn(filter) ? [] : await usageTotals(db, scope, { from: span.from, to: span.to });
  const isAny = totals.every(({ requests }) => requests <= limit);
  return countRequestsByBucket(db, scope, { filter, span, limit, isAny });
}

/**
 * Returns one finished call of a scope by its id or the portal's number; null: the scope has no such call. Finds a call by its id as soon
 * as it is answered.
 */
export async function readRequest(db: Db, scope: UsageScope, id: bigint | string): Promise<RequestDetail | null> {
  if (typeof id === "string") await settledCallsPosted();
  const row = await findRequest(db, scope, id);
  if (row === null) return null;
  const { payerKind: kind, payerId, payerName: name, delegated, ...request } = row;
  const { userId } = request;
  // Sandbox calls are free for every payer.
  const exempt = request.notCharged === "exempt";
  return { ...request, payer: { name, reason: frozenPayerReason({ kind, id: payerId, userId, exempt, delegated }) } };
}
