import type { Reads } from "~/connection/db.server";
import { scopeCondition } from "~/domain/usage/index.server";
import type { UsageScope } from "~/domain/usage/shared";
import { Prisma } from "~/generated/prisma/client";
import type { RequestFilter } from "./shared";

/** Position and length of a page of calls. */
type Page = { beforeId: bigint | null; limit: number };

/**
 * Builds a query for usage rows of a scope that match a filter. The rows contain the newest ones of a page, each once. It uses the most
 * selective index, so that its cost does not grow with calls that do not match. See docs/decisions/028-one-table-of-usage.md.
 */
export async function newestRequests(
  db: Reads,
  scope: UsageScope,
  query: Page & { filter: RequestFilter },
): Promise<Prisma.Sql> {
  const { filter, beforeId } = query;
  const conditions = [scopeCondition(scope), ...matching(filter)];
  if (beforeId !== null) conditions.push(Prisma.sql`id < ${beforeId}`);
  const all = Prisma.join(conditions, " AND ");
  if (filter.requestId !== undefined) return Prisma.sql`SELECT * FROM usage_event WHERE ${all}`;
  const rare = await rarest(db, scope, filter);
  if (rare !== null) return fenced(scope, rare, all);
  const bounds = await boundsOf(db, filter);
  const strays = straysOf(bounds, filter, query).map((stray) => Prisma.sql`(SELECT * FROM ${stray} WHERE ${all})`);
  return Prisma.join([Prisma.sql`(${wayTo(scope, filter, { ...query, bounds })})`, ...strays], " UNION ALL ");
}

/**
 * Builds a query for the rows to examine to find all calls of a scope that match a filter, with the result of the filter (`matches`).
 * The rows come from one index, at most `limit`, so the cost is bounded. Null: no index applies, and all calls of the span may be
 * examined only if `isAny`.
 */
export async function examinedRequests(
  db: Reads,
  scope: UsageScope,
  { filter, limit, isAny }: { filter: RequestFilter; limit: number; isAny: boolean },
): Promise<Prisma.Sql | null> {
  const conditions = Prisma.join([scopeCondition(scope), ...matching(filter)], " AND ");
  const looked = (source: Prisma.Sql) =>
    Prisma.sql`SELECT started_at, outcome, (${conditions}) AS matches FROM (${source}) looked_at LIMIT ${limit}`;
  if (filter.requestId !== undefined)
    return looked(Prisma.sql`SELECT * FROM usage_event WHERE request_id = ${filter.requestId}::uuid`);
  const rare = await rarest(db, scope, filter);
  if (rare !== null) return looked(fenced(scope, rare, Prisma.sql`true`));
  if (!isAny && !hasIndexOfItsOwn(filter)) return null;
  const { session, code, guardrail, routed, since, until } = filter;
  const span = { since, until };
  // Leave out the times: the id range bounds them already, and the planner would choose the wrong index.
  const broad: BroadFilter =
    session !== undefined
      ? { session }
      : code !== undefined
        ? { code }
        : guardrail !== undefined
          ? { guardrail: "any" }
          : { routed, outcome: isUnsuccessful(filter) ? "unsuccessful" : undefined };
  const isByIndex = session !== undefined || code !== undefined || guardrail !== undefined;
  const indexScope: UsageScope = isByIndex ? { organisationId: scope.organisationId } : scope;
  const query = { beforeId: null, limit, bounds: await boundsOf(db, span) };
  const all = Prisma.join([scopeCondition(indexScope), ...matching(broad)], " AND ");
  const strays = straysOf(query.bounds, span, query).map((stray) => Prisma.sql`(SELECT * FROM ${stray} WHERE ${all})`);
  return looked(Prisma.join([Prisma.sql`(${wayTo(indexScope, broad, query)})`, ...strays], " UNION ALL "));
}

/** Whether a filter has a partial index with few calls. For cost and duration, `rarest` asks the database. */
export const hasIndexOfItsOwn = (filter: RequestFilter): boolean =>
  (filter.requestId ?? filter.session ?? filter.code ?? filter.guardrail) !== undefined || isUnsuccessful(filter);

/** A filter, or a broader one that an index covers: all unsuccessful calls, all calls with a guardrail match. */
type BroadFilter = Omit<RequestFilter, "outcome" | "guardrail"> & {
  outcome?: RequestFilter["outcome"] | "unsuccessful";
  guardrail?: RequestFilter["guardrail"] | "any";
};

const ORGANISATION = Prisma.sql`organisation_id`;
const KEY = Prisma.sql`key_id`;
const LANE = Prisma.sql`usage_lane(model, supplier, region)`;

type Way = Page & { bounds: Bounds };

/** Chooses the access path: a partial index with few calls, else the lanes, else backwards from the newest call. */
function wayTo(scope: UsageScope, filter: BroadFilter, way: Way): Prisma.Sql {
  const { code, session, ...others } = filter;
  const along = (column: Prisma.Sql, is: string) => {
    const matched = matching(column === CODE ? { ...others, session } : { ...others, code });
    const rest = Prisma.join([Prisma.sql`${column} IS NOT NULL`, scopeCondition(scope), ...matched], " AND ");
    return eachOf(
      organisationsOf(scope),
      back(way, { owner: ORGANISATION, lead: { column, is: Prisma.sql`${is}` }, rest }),
    );
  };
  if (session !== undefined) return along(SESSION, session);
  if (code !== undefined) return along(CODE, code);
  const isMarked = filter.guardrail !== undefined;
  const keys = isMarked ? null : scopeKeys(scope);
  const [owners, owner] = keys === null ? [organisationsOf(scope), ORGANISATION] : [keys, KEY];
  const { models, suppliers, regions, ...places } = scope;
  const isFew = isMarked || filter.routed || isUnsuccessful(filter);
  const isOfLanes = (models ?? suppliers ?? regions) !== undefined && !isFew;
  const rest = Prisma.join([scopeCondition(isOfLanes ? places : scope), ...matching(filter)], " AND ");
  return isOfLanes ? ofLanes(scope, owners, { ...way, owner, rest }) : eachOf(owners, back(way, { owner, rest }));
}

const CODE = Prisma.sql`error_code`;
const SESSION = Prisma.sql`session_id`;

const eachOf = (owners: Prisma.Sql, newest: Prisma.Sql) =>
  Prisma.sql`SELECT e.* FROM (${owners}) o(id) CROSS JOIN LATERAL (${newest}) e`;

const LAST = 9_223_372_036_854_775_807n;

/**
 * The newest calls of an owner `o`, in the order of an index. A leading column is compared as a range of one value instead of with `=`,
 * so that the requested order matches only one index, whatever the planner's statistics say.
 */
function back(
  { bounds, beforeId, limit }: Way,
  query: { owner: Prisma.Sql; rest: Prisma.Sql; lead?: { column: Prisma.Sql; is: Prisma.Sql } },
): Prisma.Sql {
  const low = bounds.low ?? 0n;
  const high = [bounds.high, beforeId].reduce<bigint>(
    (minimum, each) => (each !== null && each < minimum ? each : minimum),
    LAST,
  );
  const { owner, lead, rest } = query;
  if (lead === undefined)
    return Prisma.sql`SELECT * FROM usage_event WHERE ${owner} = o.id AND id >= ${low} AND id < ${high} AND ${rest} ORDER BY id DESC LIMIT ${limit}`;
  const { column, is } = lead;
  return Prisma.sql`
    SELECT * FROM usage_event WHERE ${owner} = o.id AND (${column}, id) >= (${is}, ${low}::bigint) AND (${column}, id) < (${is}, ${high}::bigint)
       AND ${rest} ORDER BY ${column} DESC, id DESC LIMIT ${limit}`;
}

/**
 * The newest calls by lane: a model at a supplier in a region. A loose index scan lists the lanes of an organisation or a key, from
 * each lane to the next; then the newest calls of each wanted lane are read.
 */
function ofLanes(
  scope: UsageScope,
  owners: Prisma.Sql,
  query: Way & { owner: Prisma.Sql; rest: Prisma.Sql },
): Prisma.Sql {
  const { owner, rest, ...way } = query;
  const { models, suppliers, regions } = scope;
  const next = (of: Prisma.Sql, after: Prisma.Sql) => Prisma.sql`
    SELECT ${of} AS id, ${LANE} AS lane, model, supplier, region FROM usage_event
     WHERE ${owner} = ${of} AND ${after} ORDER BY ${LANE} LIMIT 1`;
  const newest = back(way, { owner, rest, lead: { column: LANE, is: Prisma.sql`o.lane` } });
  return Prisma.sql`
    WITH RECURSIVE lane AS (
      SELECT n.* FROM (${owners}) o(id) CROSS JOIN LATERAL (${next(Prisma.sql`o.id`, Prisma.sql`true`)}) n
      UNION ALL
      SELECT n.* FROM lane l CROSS JOIN LATERAL (${next(Prisma.sql`l.id`, Prisma.sql`${LANE} > l.lane`)}) n
    ), wanted AS MATERIALIZED (
      SELECT id, lane FROM lane WHERE ${scopeCondition({ organisationId: null, models, suppliers, regions })}
    )
    SELECT e.* FROM wanted o CROSS JOIN LATERAL (${newest}) e`;
}

/**
 * Builds a query for the calls of a scope that match a filter, highest value first, read by the index of the value
 * (`charged` or `latency_ms`). It examines at most `examined` calls of each organisation, so it may miss some.
 */
export function highestRequests(
  scope: UsageScope,
  query: {
    filter: RequestFilter;
    column: Prisma.Sql;
    below: { value: bigint; id: bigint } | null;
    limit: number;
    examined: number;
  },
): Prisma.Sql {
  const { filter, column, below, limit, examined } = query;
  const start = below === null ? Prisma.sql`true` : Prisma.sql`${column} <= ${below.value}`;
  const place = below === null ? Prisma.sql`true` : Prisma.sql`(${column}, id) < (${below.value}, ${below.id})`;
  const all = Prisma.join([scopeCondition(scope), ...matching(filter), place], " AND ");
  return eachOf(
    organisationsOf(scope),
    Prisma.sql`
      SELECT * FROM (
        SELECT * FROM usage_event WHERE organisation_id = o.id AND ${start} ORDER BY ${column} DESC, id DESC LIMIT ${examined}
      ) high WHERE ${all} LIMIT ${limit}`,
  );
}

/** Whether a scope is whole organisations, so that an index of organisations fits it. */
export const isOfOrganisations = (scope: UsageScope): boolean => scopeKeys(scope) === null;

const organisationsOf = ({ organisationId }: UsageScope): Prisma.Sql =>
  organisationId === null ? Prisma.sql`SELECT id FROM organisation` : Prisma.sql`SELECT ${organisationId}::integer`;

/** The keys of a scope; null: the scope is whole organisations. */
function scopeKeys({ keyIds, userIds, projectIds, departmentIds }: UsageScope): Prisma.Sql | null {
  if (keyIds !== undefined) return Prisma.sql`SELECT unnest(${[...keyIds]}::integer[])`;
  if (userIds !== undefined)
    return Prisma.sql`SELECT DISTINCT key_id FROM usage_hour WHERE user_id = ANY (${[...userIds]}::integer[])`;
  if (projectIds !== undefined) return keysOfGroups(Prisma.sql`project_id`, projectIds);
  if (departmentIds !== undefined) return keysOfGroups(Prisma.sql`department_id`, departmentIds);
  return null;
}

/** A loose scan, from each key to the next, of an index of `usage_hour`. */
function keysOfGroups(column: Prisma.Sql, ids: readonly number[]): Prisma.Sql {
  const next = (group: Prisma.Sql, after: Prisma.Sql) => Prisma.sql`
    SELECT ${group} AS "group", key_id AS id FROM usage_hour WHERE ${column} = ${group} AND ${column} <> 0 AND ${after} ORDER BY key_id LIMIT 1`;
  return Prisma.sql`
    WITH RECURSIVE used AS (
      SELECT n.* FROM unnest(${[...ids]}::integer[]) g(id) CROSS JOIN LATERAL (${next(Prisma.sql`g.id`, Prisma.sql`true`)}) n
      UNION ALL
      SELECT n.* FROM used u CROSS JOIN LATERAL (${next(Prisma.sql`u."group"`, Prisma.sql`key_id > u.id`)}) n
    )
    SELECT DISTINCT id FROM used`;
}

/** Maximum calls that are read and sorted. Among more calls, a backwards scan finds a page of the newest soon. */
const FEW = 20_000;

/** The most selective condition on cost or duration, if at most `FEW` calls of the scope's organisations meet it; else null. */
async function rarest(db: Reads, scope: UsageScope, filter: RequestFilter): Promise<Prisma.Sql | null> {
  const counted = await Promise.all(
    withinBounds(filter).map(async (condition) => {
      const [row] = await db.$queryRaw<{ calls: number }[]>`
        SELECT count(*)::integer AS calls FROM (
          SELECT FROM (${organisationsOf(scope)}) o(id) CROSS JOIN LATERAL (
            SELECT FROM usage_event WHERE organisation_id = o.id AND ${condition} LIMIT ${FEW + 1}) e LIMIT ${FEW + 1}) c`;
      return { condition, calls: row?.calls ?? 0 };
    }),
  );
  return counted.filter(({ calls }) => calls <= FEW).toSorted((a, b) => a.calls - b.calls)[0]?.condition ?? null;
}

/** OFFSET 0 stops the planner from using the outer order and scanning backwards call by call. */
const fenced = (scope: UsageScope, rare: Prisma.Sql, all: Prisma.Sql) =>
  eachOf(
    organisationsOf(scope),
    Prisma.sql`SELECT * FROM (SELECT * FROM usage_event WHERE organisation_id = o.id AND ${rare} OFFSET 0) f WHERE ${all}`,
  );

/** The ids of nearly all calls of a span: from `low`, below `high`; null: unbounded. */
type Bounds = { low: bigint | null; high: bigint | null };

/** Finds the ids of a span. Calls get their ids at settlement, nearly in the order of their start. */
async function boundsOf(db: Reads, { since, until }: RequestFilter): Promise<Bounds> {
  if (since === undefined && until === undefined) return { low: null, high: null };
  const firstOf = (at: Date | undefined) => Prisma.sql`
    (SELECT min(id) FROM usage_event WHERE started_at >= ${at ?? null}::timestamptz
        AND started_at < (SELECT min(hour) FROM usage_hour WHERE hour >= ${at ?? null}::timestamptz) + interval '1 hour')`;
  const [bounds] = await db.$queryRaw<Bounds[]>`SELECT ${firstOf(since)} AS low, ${firstOf(until)} AS high`;
  const { low, high } = bounds ?? { low: null, high: null };
  // The first call after the span may have a lower id than the first one inside; no call may be on both sides.
  return { low: low !== null && high !== null && low > high ? high : low, high };
}

/** The calls of a span outside its id range: settled long after their start, or before calls that started earlier. */
function straysOf({ low, high }: Bounds, { since, until }: RequestFilter, { beforeId }: Page): Prisma.Sql[] {
  const between = (from: bigint, to: bigint) =>
    Prisma.sql`usage_strays(${since ?? null}::timestamptz, ${until ?? null}::timestamptz, ${from}::bigint, ${to}::bigint)`;
  const strays: Prisma.Sql[] = [];
  if (low !== null) strays.push(between(0n, low));
  if (high !== null && (beforeId === null || beforeId > high)) strays.push(between(high, LAST));
  return strays;
}

function matching(filter: BroadFilter): Prisma.Sql[] {
  const { outcome, code, session, requestId, since, until, guardrail, routed } = filter;
  const conditions: Prisma.Sql[] = withinBounds(filter);
  if (outcome === "complete") conditions.push(Prisma.sql`outcome = 'complete'`);
  else if (outcome !== undefined) {
    // True for every failed or interrupted call, so that their partial index is used.
    conditions.push(Prisma.sql`outcome <> 'complete'`);
    // Many of these calls match. With a plain condition the planner would multiply both selectivities, expect almost no rows, and read
    // and sort the whole index.
    if (outcome !== "unsuccessful")
      conditions.push(Prisma.sql`CASE WHEN outcome = ANY (${[...OUTCOMES[outcome]]}::text[]) THEN true ELSE false END`);
  }
  if (code !== undefined) conditions.push(Prisma.sql`error_code = ${code}`);
  if (session !== undefined) conditions.push(Prisma.sql`session_id = ${session}`);
  if (requestId !== undefined) conditions.push(Prisma.sql`request_id = ${requestId}::uuid`);
  // IS TRUE keeps the planner from using an index: the id range bounds the calls already. The planner takes times and ids for
  // independent, and would read the index of times and all calls of the owner instead of the newest few.
  if (since !== undefined) conditions.push(Prisma.sql`(started_at >= ${since}) IS TRUE`);
  if (until !== undefined) conditions.push(Prisma.sql`(started_at < ${until}) IS TRUE`);
  if (routed) conditions.push(Prisma.sql`counterfactual IS NOT NULL`);
  if (guardrail !== undefined) conditions.push(Prisma.sql`routing->'guardrails' IS NOT NULL`);
  if (guardrail !== undefined && guardrail !== "any")
    conditions.push(Prisma.sql`routing->'guardrails' @> ${JSON.stringify([{ action: guardrail }])}::jsonb`);
  return conditions;
}

/** The conditions on cost and duration, one each, in the form that their indexes support. */
function withinBounds({ minNanoUsd, maxNanoUsd, minMs, maxMs }: BroadFilter): Prisma.Sql[] {
  const between = (column: Prisma.Sql, minimum: bigint | number | undefined, maximum: bigint | number | undefined) => {
    const parts: Prisma.Sql[] = [];
    if (minimum !== undefined) parts.push(Prisma.sql`${column} >= ${minimum}`);
    if (maximum !== undefined) parts.push(Prisma.sql`${column} <= ${maximum}`);
    return parts.length === 0 ? [] : [Prisma.join(parts, " AND ")];
  };
  return [...between(Prisma.sql`charged`, minNanoUsd, maxNanoUsd), ...between(Prisma.sql`latency_ms`, minMs, maxMs)];
}

const isUnsuccessful = ({ outcome }: BroadFilter) => outcome !== undefined && outcome !== "complete";

/** What the outcomes of calls mean to their clients. Others of the enumeration are their suppliers' trouble. `error`: as sums count errors. */
const OUTCOMES = {
  error: ["error", "not_executed", "upstream_abort"],
  failed: ["error", "not_executed"],
  interrupted: ["upstream_abort", "client_abort", "recovered"],
} as const;
