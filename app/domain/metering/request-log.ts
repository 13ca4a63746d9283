import type { Db, Reads } from "~/db.server";
import { settledCallsPosted } from "~/domain/accounting/index.server";
import { frozenPayerReason } from "~/domain/identity/shared";
import { countRequestsByBucket, findRequest, listRequests } from "./request-log-store";
import { hasIndexOfItsOwn } from "./request-source-store";
import type { LoggedRequest, RequestCount, RequestDetail, RequestFilter, UsageScope } from "./shared";
import { type UsageSpan, usageTotals } from "./usage";

const PAGE = 500;

/**
 * One page of the finished calls of a scope, newest first. `nextBeforeId` is where the next page begins; null: that was all.
 * A call that finishes meanwhile moves nothing.
 */
export async function readRequests(
  db: Reads,
  scope: UsageScope,
  ask: { filter: RequestFilter; beforeId: bigint | null; limit: number },
): Promise<{ requests: LoggedRequest[]; nextBeforeId: bigint | null }> {
  const found = await listRequests(db, scope, { ...ask, limit: ask.limit + 1 });
  const requests = found.slice(0, ask.limit);
  return { requests, nextBeforeId: found.length > requests.length ? (requests.at(-1)?.id ?? null) : null };
}

/** All matching calls, newest first, page by page: nothing is kept open in the database between two pages. */
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

/** So many rows are looked at to count those that match. */
const LOOKED_AT = 10_000;

/**
 * How many finished calls of a scope match a filter, by bucket of a span, exactly; buckets without any are missing. Null: to count them
 * more than 10,000 rows have to be looked at. `since` and `until` of the filter give way to the span.
 */
export async function countRequests(
  db: Reads,
  scope: UsageScope,
  { filter, span, most = LOOKED_AT }: { filter: RequestFilter; span: UsageSpan; most?: number },
): Promise<RequestCount[] | null> {
  // How many there are of all is known without looking at them.
  const totals = hasIndexOfItsOwn(filter) ? [] : await usageTotals(db, scope, { from: span.from, to: span.to });
  const isAny = totals.every(({ requests }) => requests <= most);
  return countRequestsByBucket(db, scope, { filter, span, most, isAny });
}

/**
 * One finished call of a scope, by its id or the portal's number; null: there is none within the scope, whether there is one elsewhere or not.
 * A call that has just been answered is found by its id.
 */
export async function readRequest(db: Db, scope: UsageScope, id: bigint | string): Promise<RequestDetail | null> {
  if (typeof id === "string") await settledCallsPosted();
  const found = await findRequest(db, scope, id);
  if (found === null) return null;
  const { payerKind: kind, payerId, payerName: name, delegated, ...request } = found;
  const { userId } = request;
  // A sandbox is free of charge whoever pays.
  const exempt = request.notCharged === "exempt";
  return { ...request, payer: { name, reason: frozenPayerReason({ kind, id: payerId, userId, exempt, delegated }) } };
}
