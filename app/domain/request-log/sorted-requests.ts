import type { Reads } from "~/connection/db.server";
import type { UsageScope } from "~/domain/usage/shared";
import { hasIndexOfItsOwn, isOfOrganisations } from "./request-source-store";
import type { LoggedRequest, RequestFilter, RequestSort } from "./shared";
import { findHighestRequests, findSortedAmongLatest, type Ranked } from "./sorted-requests-store";

/** Position in a sorted list: the sort value and the id of the last call of a page. */
export type RequestPlace = { value: bigint; id: bigint };

type Question = { filter: RequestFilter; sort: RequestSort; after: RequestPlace | null; limit: number };

type SortedRequests = {
  requests: LoggedRequest[];
  next: RequestPlace | null;
  /** The calls that were sorted are the latest ones, this many; null: all that match. */
  among: number | null;
};

/** Maximum calls that are read and sorted. */
const LATEST = 20_000;

/**
 * Returns one page of a scope's finished calls in the order of a figure. The cost is bounded: the dearest and the slowest
 * calls of organisations are read by an index; otherwise the latest 20,000 calls that match are sorted.
 */
export async function readSortedRequests(db: Reads, scope: UsageScope, query: Question): Promise<SortedRequests> {
  const question = { ...query, limit: query.limit + 1 };
  const { sort, filter } = query;
  const hasIndex = sort.descending && (sort.by === "cost" || sort.by === "latency");
  if (hasIndex && isOfOrganisations(scope) && !hasIndexOfItsOwn(filter)) {
    const highest = await findHighestRequests(db, scope, question);
    // A full page has no gaps. A shorter one may lack calls beyond those that were examined.
    if (highest.length === question.limit) return pageOf(highest, query.limit, null);
  }
  const { rows, isAll } = await findSortedAmongLatest(db, scope, { ...question, latest: LATEST });
  return pageOf(rows, query.limit, isAll ? null : LATEST);
}

function pageOf(rows: readonly Ranked[], limit: number, among: number | null): SortedRequests {
  const requests = rows.slice(0, limit);
  const last = requests.at(-1);
  const next = rows.length > limit && last !== undefined ? { value: last.sortValue, id: last.id } : null;
  return { requests: requests.map(({ sortValue: _, ...request }) => request), next, among };
}
