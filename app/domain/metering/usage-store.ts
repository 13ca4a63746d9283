import type { Reads } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { UsageGroup, UsagePoint, UsageScope, UsageTotal } from "./shared";

/** What `span` asks for: buckets of so long, in a time zone; `day` buckets begin at local midnight. */
export type Span = { from: Date; to: Date; bucket: "hour" | "day"; timeZone: string };

const COLUMNS: Record<UsageGroup, { hour: Prisma.Sql; event: Prisma.Sql }> = {
  organisation: { hour: Prisma.sql`organisation_id`, event: Prisma.sql`organisation_id` },
  key: { hour: Prisma.sql`key_id`, event: Prisma.sql`key_id` },
  user: { hour: Prisma.sql`nullif(user_id, 0)`, event: Prisma.sql`user_id` },
  department: { hour: Prisma.sql`nullif(department_id, 0)`, event: Prisma.sql`department_id` },
  project: { hour: Prisma.sql`nullif(project_id, 0)`, event: Prisma.sql`project_id` },
  model: { hour: Prisma.sql`model`, event: Prisma.sql`model` },
  supplier: { hour: Prisma.sql`supplier`, event: Prisma.sql`supplier` },
  region: { hour: Prisma.sql`region`, event: Prisma.sql`region` },
};

/** Sums by bucket and group; buckets without a call are missing. */
export function sumByBucket(
  db: Reads,
  scope: UsageScope,
  span: Span,
  group: UsageGroup | null,
): PromiseLike<UsagePoint[]> {
  return db.$queryRaw<UsagePoint[]>(pointsOf(scope, span, group));
}

/** The same, so many at a time where the database can. */
export async function* pagesByBucket(
  db: Reads,
  scope: UsageScope,
  span: Span,
  { group, rowsAtOnce }: { group: UsageGroup | null; rowsAtOnce: number },
): AsyncGenerator<UsagePoint[], void, undefined> {
  if (db.pagesOf === undefined) yield await sumByBucket(db, scope, span, group);
  else yield* db.pagesOf<UsagePoint>(pointsOf(scope, span, group), rowsAtOnce);
}

const pointsOf = (scope: UsageScope, span: Span, group: UsageGroup | null): Prisma.Sql => Prisma.sql`
  ${parts(scope, span, group)}
  SELECT bucket, "group", ${SUMS} FROM part GROUP BY bucket, "group" ORDER BY bucket, "group"`;

/** Sums by group, the dearest first. */
export function sumByGroup(
  db: Reads,
  scope: UsageScope,
  span: Span,
  { group, page }: { group: UsageGroup | null; page: { limit: number; offset: number } | null },
): PromiseLike<UsageTotal[]> {
  return db.$queryRaw<UsageTotal[]>`${parts(scope, span, group)}
    SELECT "group", ${SUMS} FROM part GROUP BY "group" ORDER BY sum(charged) DESC, sum(requests) DESC, "group"
     LIMIT ${page?.limit ?? null}::bigint OFFSET ${page?.offset ?? 0}::bigint`;
}

/** The starts of all buckets of a span, also of those without a call. */
export async function listBuckets(db: Reads, { from, to, bucket, timeZone }: Span): Promise<Date[]> {
  const unit = bucket === "day" ? Prisma.sql`'day'` : Prisma.sql`'hour'`;
  const zone = bucket === "day" ? timeZone : "UTC";
  const rows = await db.$queryRaw<{ at: Date }[]>`
    SELECT DISTINCT date_trunc(${unit}, h, ${zone}) AS at
      FROM generate_series(date_trunc('hour', ${from}::timestamptz, 'UTC'), ${to}::timestamptz - interval '1 microsecond', interval '1 hour') h
     UNION SELECT date_trunc(${unit}, ${to}::timestamptz - interval '1 microsecond', ${zone}) WHERE ${to}::timestamptz > ${from}::timestamptz
     ORDER BY at`;
  return rows.map(({ at }) => at);
}

/**
 * The rows to be summed: the sums of hours that lie wholly inside the span and inside one bucket, and the usage rows of
 * the pieces of hours that are left. In a time zone that is not whole hours from UTC every midnight cuts an hour in two.
 */
function parts(scope: UsageScope, { from, to, bucket, timeZone }: Span, group: UsageGroup | null): Prisma.Sql {
  const [start, end] = [Prisma.sql`${from}::timestamptz`, Prisma.sql`${to}::timestamptz`];
  const bucketOf = (at: Prisma.Sql) =>
    bucket === "day" ? Prisma.sql`date_trunc('day', ${at}, ${timeZone})` : Prisma.sql`date_trunc('hour', ${at}, 'UTC')`;
  const of = group === null ? { hour: Prisma.sql`NULL`, event: Prisma.sql`NULL` } : COLUMNS[group];
  const hours = Prisma.sql`usage_hour WHERE hour >= ${start} AND hour < ${end} AND ${inside(scope)}`;
  // All groups together are first added up by the hour: far fewer rows are then told apart by bucket.
  const sums =
    group === null ? Prisma.sql`SELECT hour, ${ADDED} FROM ${hours} GROUP BY hour` : Prisma.sql`SELECT * FROM ${hours}`;
  return Prisma.sql`
    WITH slot AS MATERIALIZED (
      SELECT h AS hour, ${bucketOf(Prisma.sql`h`)} AS bucket,
             h >= ${start} AND h + interval '1 hour' <= ${end}
               AND ${bucketOf(Prisma.sql`h`)} = ${bucketOf(Prisma.sql`h + interval '1 hour' - interval '1 microsecond'`)} AS whole
        FROM generate_series(date_trunc('hour', ${start}, 'UTC'), ${end} - interval '1 microsecond', interval '1 hour') h
    ), piece AS MATERIALIZED (
      SELECT greatest(hour, ${start}) AS low, least(hour + interval '1 hour', ${end}) AS high FROM slot WHERE NOT whole
    ), part AS (
      SELECT s.bucket, ${of.hour} AS "group", u.requests, u.errors, u.failovers, u.routed, u.input_tokens, u.cached_input_tokens,
             u.cache_write_tokens, u.output_tokens, u.reasoning_tokens, u.cost, u.charged, u.saved, u.latency_ms, u.first_byte_ms, u.first_bytes
        FROM (${sums}) u JOIN slot s ON s.hour = u.hour AND s.whole
      UNION ALL
      SELECT ${bucketOf(Prisma.sql`e.started_at`)}, ${of.event}, 1, (e.outcome IN ('error', 'upstream_abort', 'not_executed'))::integer,
             (e.outcome = 'complete' AND jsonb_array_length(e.attempts) > 1)::integer, (e.counterfactual IS NOT NULL)::integer,
             e.input_tokens, e.cached_input_tokens, e.cache_write_tokens, e.output_tokens, e.reasoning_tokens, e.cost, e.charged,
             coalesce(e.counterfactual - e.charged, 0), e.latency_ms, coalesce(e.first_byte_ms, 0), (e.first_byte_ms IS NOT NULL)::integer
        FROM piece p CROSS JOIN LATERAL (
          SELECT * FROM usage_event WHERE started_at >= p.low AND started_at < p.high AND ${inside(scope)} OFFSET 0) e
    )`;
}

const COUNTERS = [
  ...[
    "requests",
    "errors",
    "failovers",
    "routed",
    "input_tokens",
    "cached_input_tokens",
    "cache_write_tokens",
    "output_tokens",
  ],
  ...["reasoning_tokens", "cost", "charged", "saved", "latency_ms", "first_byte_ms", "first_bytes"],
];
const ADDED = Prisma.raw(COUNTERS.map((name) => `sum(${name})::bigint AS ${name}`).join(", "));

const SUMS = Prisma.sql`
  sum(requests)::integer AS requests, sum(errors)::integer AS errors, sum(failovers)::integer AS failovers, sum(routed)::integer AS routed,
  sum(input_tokens)::bigint AS "inputTokens", sum(cached_input_tokens)::bigint AS "cachedInputTokens",
  sum(cache_write_tokens)::bigint AS "cacheWriteTokens", sum(output_tokens)::bigint AS "outputTokens",
  sum(reasoning_tokens)::bigint AS "reasoningTokens", sum(cost)::bigint AS "costNanoUsd", sum(charged)::bigint AS "chargedNanoUsd",
  sum(saved)::bigint AS "savedNanoUsd", sum(latency_ms)::bigint AS "latencyMs", sum(first_byte_ms)::bigint AS "firstByteMs",
  sum(first_bytes)::integer AS "firstBytes"`;

/** The restrictions of a scope, on columns that both tables have. */
export function inside(scope: UsageScope): Prisma.Sql {
  const { organisationId, organisationIds, keyIds, userIds, departmentIds, projectIds, models, suppliers, regions } =
    scope;
  const conditions = [Prisma.sql`true`];
  if (organisationId !== null) conditions.push(Prisma.sql`organisation_id = ${organisationId}`);
  const ids = (column: Prisma.Sql, list: readonly number[] | undefined) => {
    if (list !== undefined) conditions.push(Prisma.sql`${column} = ANY (${[...list]}::integer[])`);
  };
  const names = (column: Prisma.Sql, list: readonly string[] | undefined) => {
    if (list !== undefined) conditions.push(Prisma.sql`${column} = ANY (${[...list]}::text[])`);
  };
  ids(Prisma.sql`organisation_id`, organisationIds);
  ids(Prisma.sql`key_id`, keyIds);
  ids(Prisma.sql`user_id`, userIds);
  ids(Prisma.sql`department_id`, departmentIds);
  ids(Prisma.sql`project_id`, projectIds);
  names(Prisma.sql`model`, models);
  names(Prisma.sql`supplier`, suppliers);
  names(Prisma.sql`region`, regions);
  return Prisma.join(conditions, " AND ");
}
