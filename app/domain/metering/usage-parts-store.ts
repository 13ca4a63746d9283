import { Prisma } from "~/generated/prisma/client";
import type { UsageGroup, UsageScope } from "./shared";
import { inside } from "./usage-scope-store";

/** What is added up: whose buckets, if any, and before when days of UTC are complete (null: none is). */
export type Sums = {
  from: Date;
  to: Date;
  buckets: { of: "hour" | "day"; timeZone: string } | null;
  completeBefore: Date | null;
  /** The columns of sums that are wanted; the others are null. Left out: all. */
  counters?: ReadonlySet<string>;
};

const COLUMNS: Record<UsageGroup, { sum: Prisma.Sql; event: Prisma.Sql }> = {
  organisation: { sum: Prisma.sql`organisation_id`, event: Prisma.sql`organisation_id` },
  key: { sum: Prisma.sql`key_id`, event: Prisma.sql`key_id` },
  user: { sum: Prisma.sql`nullif(user_id, 0)`, event: Prisma.sql`user_id` },
  department: { sum: Prisma.sql`nullif(department_id, 0)`, event: Prisma.sql`department_id` },
  project: { sum: Prisma.sql`nullif(project_id, 0)`, event: Prisma.sql`project_id` },
  model: { sum: Prisma.sql`model`, event: Prisma.sql`model` },
  supplier: { sum: Prisma.sql`supplier`, event: Prisma.sql`supplier` },
  region: { sum: Prisma.sql`region`, event: Prisma.sql`region` },
};

const COUNTERS = [
  ...["requests", "errors", "failovers", "routed", "input_tokens", "cached_input_tokens", "cache_write_tokens"],
  ...["output_tokens", "reasoning_tokens", "cost", "charged", "saved", "latency_ms", "first_byte_ms", "first_bytes"],
];
const NAMES = Prisma.raw(COUNTERS.map((name) => `u.${name}`).join(", "));
const SIGNED = Prisma.raw(COUNTERS.map((name) => `h.sign * u.${name}`).join(", "));
const WANTED = new Set(COUNTERS);
/** The sums of a table; those that nobody wants are not added up. */
const added = (wanted: ReadonlySet<string>): Prisma.Sql =>
  Prisma.raw(
    COUNTERS.map((name) => (wanted.has(name) ? `sum(${name})::bigint AS ${name}` : `NULL::bigint AS ${name}`)).join(
      ", ",
    ),
  );

/** Whether a question has nothing to do with keys and people. */
const isByModel = (scope: UsageScope, group: UsageGroup | null): boolean =>
  [scope.keyIds, scope.userIds, scope.departmentIds, scope.projectIds].every((ids) => ids === undefined) &&
  (group === null || group === "organisation" || group === "model" || group === "supplier" || group === "region");

/** The midnight of UTC that is next to a moment, before it or behind it. */
const near = (at: string): Prisma.Sql => Prisma.raw(`date_trunc('day', ${at} + interval '12 hours', 'UTC')`);
const hoursBetween = (at: string): Prisma.Sql => Prisma.sql`
  generate_series(least(${Prisma.raw(at)}, ${near(at)}), greatest(${Prisma.raw(at)}, ${near(at)}) - interval '1 hour', interval '1 hour') h`;

/**
 * `day_of` and `hour_of`: of each `run` of whole hours in a bucket, from `low` to before `high`, the days of UTC from the midnight next to its beginning
 * to the one next to its end, and the hours between these and the run itself, to be added or, with a sign, taken away again. `more`: other hours.
 */
export const daysAndHours = (more: Prisma.Sql): Prisma.Sql => Prisma.sql`
    day_of AS MATERIALIZED (
      SELECT bucket, d AS day FROM run CROSS JOIN generate_series(${near("low")}, ${near("high")} - interval '24 hours', interval '24 hours') d
    ), hour_of AS MATERIALIZED (
      SELECT bucket, hour, sum(sign) AS sign
        FROM (SELECT bucket, h AS hour, CASE WHEN h >= low THEN 1 ELSE -1 END AS sign FROM run CROSS JOIN ${hoursBetween("low")}
              UNION ALL
              SELECT bucket, h, CASE WHEN h < high THEN 1 ELSE -1 END FROM run CROSS JOIN ${hoursBetween("high")}
              ${more}) x
       GROUP BY bucket, hour HAVING sum(sign) <> 0
    )`;

/**
 * `WITH … part`: the rows to be summed, each with its bucket and group. Hours that lie wholly inside the span and inside one bucket follow one
 * another in runs. Of a run, the sums of days of UTC are taken, and hours at its ends, so that of a day in any time zone twelve hours at each end are
 * read at most.
 * Where keys and people are no part of the question, days are those without them, which are fewer rows.
 * Days that are not complete are taken hour by hour, and so is a day of an organisation into which somebody has posted since. What is left are
 * pieces of hours, at the ends of a span and around midnight in time zones between the hours: these are the usage rows. A group can be left
 * with nothing in a bucket, so sums of no request have to be left out.
 */
export function usageParts(scope: UsageScope, asked: Sums, group: UsageGroup | null): Prisma.Sql {
  const { from, to, buckets, completeBefore } = asked;
  const sums = added(asked.counters ?? WANTED);
  const [start, end] = [Prisma.sql`${from}::timestamptz`, Prisma.sql`${to}::timestamptz`];
  const isByHour = buckets?.of === "hour";
  const complete = Prisma.sql`${(isByHour ? null : completeBefore) ?? from}::timestamptz`;
  const bucketOf = (at: Prisma.Sql) => {
    if (buckets === null) return Prisma.sql`NULL::timestamptz`;
    return isByHour
      ? Prisma.sql`date_trunc('hour', ${at}, 'UTC')`
      : Prisma.sql`date_trunc('day', ${at}, ${buckets.timeZone})`;
  };
  const inOne =
    buckets === null || isByHour
      ? Prisma.sql`true`
      : Prisma.sql`${bucketOf(Prisma.sql`h`)} = ${bucketOf(Prisma.sql`h + interval '1 hour' - interval '1 microsecond'`)}`;
  const of = group === null ? { sum: Prisma.sql`NULL::text`, event: Prisma.sql`NULL::text` } : COLUMNS[group];
  const where = inside(scope);
  const ofDays = Prisma.sql`
    ${isByModel(scope, group) ? Prisma.sql`usage_model_day` : Prisma.sql`usage_day`} WHERE day >= ${start} - interval '24 hours' AND day < least(${end} + interval '12 hours', ${complete}) AND ${where}
       AND day IN (SELECT day FROM day_of) AND (organisation_id, day) NOT IN (SELECT organisation_id, day FROM usage_late)`;
  const days =
    buckets === null
      ? Prisma.sql`SELECT NULL::timestamptz AS bucket, ${of.sum} AS "group", ${sums} FROM ${ofDays} GROUP BY 2`
      : Prisma.sql`SELECT d.bucket, u."group", ${NAMES}
          FROM (SELECT day, ${of.sum} AS "group", ${sums} FROM ${ofDays} GROUP BY 1, 2) u JOIN day_of d ON d.day = u.day`;
  return Prisma.sql`
    WITH slot AS MATERIALIZED (
      SELECT h AS hour, ${bucketOf(Prisma.sql`h`)} AS bucket, h >= ${start} AND h + interval '1 hour' <= ${end} AND ${inOne} AS whole
        FROM generate_series(date_trunc('hour', ${start}, 'UTC'), ${end} - interval '1 microsecond', interval '1 hour') h
    ), piece AS MATERIALIZED (
      SELECT greatest(hour, ${start}) AS low, least(hour + interval '1 hour', ${end}) AS high FROM slot WHERE NOT whole
    ), run AS MATERIALIZED (
      SELECT bucket, min(hour) AS low, max(hour) + interval '1 hour' AS high
        FROM (SELECT bucket, hour, hour - row_number() OVER (PARTITION BY bucket ORDER BY hour) * interval '1 hour' AS island
                FROM slot WHERE whole AND hour < ${complete}) x
       GROUP BY bucket, island
    ), ${daysAndHours(Prisma.sql`UNION ALL SELECT bucket, hour, 1 FROM slot WHERE whole AND hour >= ${complete}`)}, part AS (
      ${days}
      UNION ALL
      SELECT d.bucket, u."group", ${NAMES}
        FROM (SELECT DISTINCT organisation_id, day FROM usage_late) l JOIN day_of d ON d.day = l.day
       CROSS JOIN LATERAL (SELECT ${of.sum} AS "group", ${sums} FROM usage_hour
              WHERE organisation_id = l.organisation_id AND hour >= l.day AND hour < l.day + interval '24 hours' AND ${where} GROUP BY 1) u
      UNION ALL
      SELECT h.bucket, u."group", ${SIGNED}
        FROM (SELECT DISTINCT hour FROM hour_of) p
       CROSS JOIN LATERAL (SELECT ${of.sum} AS "group", ${sums} FROM usage_hour WHERE hour = p.hour AND ${where} GROUP BY 1) u
        JOIN hour_of h ON h.hour = p.hour
      UNION ALL
      SELECT ${bucketOf(Prisma.sql`e.started_at`)}, ${of.event}, 1, (e.outcome IN ('error', 'upstream_abort', 'not_executed'))::integer,
             (e.outcome = 'complete' AND jsonb_array_length(e.attempts) > 1)::integer, (e.counterfactual IS NOT NULL)::integer,
             e.input_tokens, e.cached_input_tokens, e.cache_write_tokens, e.output_tokens, e.reasoning_tokens, e.cost, e.charged,
             coalesce(e.counterfactual - e.charged, 0), e.latency_ms, coalesce(e.first_byte_ms, 0), (e.first_byte_ms IS NOT NULL)::integer
        FROM piece p CROSS JOIN LATERAL (
          SELECT * FROM usage_event WHERE started_at >= p.low AND started_at < p.high AND ${where} OFFSET 0) e
    )`;
}
