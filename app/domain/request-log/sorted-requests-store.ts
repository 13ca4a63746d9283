import type { Reads } from "~/connection/db.server";
import type { UsageScope } from "~/domain/usage/shared";
import { Prisma } from "~/generated/prisma/client";
import { NAMED, ROW } from "./request-log-store";
import { highestRequests, newestRequests } from "./request-source-store";
import type { LoggedRequest, RequestFilter, RequestSort } from "./shared";

export type Ranked = LoggedRequest & { sortValue: bigint };

const VALUES: Record<RequestSort["by"], Prisma.Sql> = {
  time: Prisma.sql`id`,
  cost: Prisma.sql`charged`,
  latency: Prisma.sql`latency_ms`,
  tokens: Prisma.sql`(input_tokens + output_tokens)`,
  cached: Prisma.sql`cached_input_tokens`,
  reasoning: Prisma.sql`reasoning_tokens`,
};

/** Maximum calls of an organisation that the index of a value is read for. */
const EXAMINED = 50_000;

type Question = {
  filter: RequestFilter;
  sort: RequestSort;
  after: { value: bigint; id: bigint } | null;
  limit: number;
};

/** Returns the dearest or slowest calls of organisations, by the index of their cost or duration. */
export async function findHighestRequests(db: Reads, scope: UsageScope, query: Question): Promise<Ranked[]> {
  const { filter, sort, after, limit } = query;
  const column = VALUES[sort.by];
  const source = highestRequests(scope, { filter, column, below: after, limit, examined: EXAMINED });
  return db.$queryRaw<Ranked[]>`
    SELECT ${ROW}, u."sortValue"
      FROM (SELECT *, ${column}::bigint AS "sortValue" FROM (${source}) found ORDER BY ${column} DESC, id DESC LIMIT ${limit}) u
      ${NAMED} ORDER BY u."sortValue" DESC, u.id DESC`;
}

/** Sorts the latest calls that match. `isAll`: no more than `latest` match. */
export async function findSortedAmongLatest(
  db: Reads,
  scope: UsageScope,
  query: Question & { latest: number },
): Promise<{ rows: Ranked[]; isAll: boolean }> {
  const { filter, sort, after, limit, latest } = query;
  const source = await newestRequests(db, scope, { filter, beforeId: null, limit: latest + 1 });
  const direction = sort.descending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  const side = sort.descending ? Prisma.sql`<` : Prisma.sql`>`;
  const place = after === null ? Prisma.sql`true` : Prisma.sql`("sortValue", id) ${side} (${after.value}, ${after.id})`;
  const rows = await db.$queryRaw<(Ranked & { matching: number })[]>`
    WITH latest AS MATERIALIZED (
      SELECT organisation_id, id, coalesce(${VALUES[sort.by]}, 0)::bigint AS "sortValue"
        FROM (${source}) found ORDER BY id DESC LIMIT ${latest + 1}
    ), page AS (
      SELECT * FROM latest WHERE ${place} ORDER BY "sortValue" ${direction}, id ${direction} LIMIT ${limit}
    )
    SELECT ${ROW}, page."sortValue", (SELECT count(*) FROM latest)::integer AS matching
      FROM page JOIN usage_event u ON u.organisation_id = page.organisation_id AND u.id = page.id
      ${NAMED} ORDER BY page."sortValue" ${direction}, u.id ${direction}`;
  return { rows: rows.map(({ matching: _, ...row }) => row), isAll: (rows[0]?.matching ?? 0) <= latest };
}
