import type { Reads } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { UsageGroup, UsageScope } from "./shared";
import { asOne, type Between, calendarOf, piecesOf, type UsageCalendar, wholeHours } from "./usage-calendar";
import { bucketsOfDays, localHours, rowsOfHours, rowsOfPieces, WITH_SIGNS } from "./usage-calendar-store";
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
const ALL = Prisma.raw(`bucket, "group", ${COUNTERS.join(", ")}`);
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

/**
 * `WITH … part`: the rows to be summed, each with its bucket and group. Of hours that lie wholly inside the span and inside one bucket, the sums of days
 * of UTC are taken, and hours at the ends, as `calendarOf` says.
 * Where keys and people are no part of the question, days are those without them, which are fewer rows.
 * Days that are not complete are taken hour by hour, and so is a day of an organisation into which somebody has posted since. What is left are
 * pieces of hours, at the ends of a span and around midnight in time zones between the hours: these are the usage rows. A group can be left
 * with nothing in a bucket, so sums of no request have to be left out. What the span has none of is left out of the statement.
 */
export async function usageParts(
  db: Reads,
  scope: UsageScope,
  asked: Sums,
  group: UsageGroup | null,
): Promise<Prisma.Sql> {
  const { from, to, buckets, completeBefore } = asked;
  const span = { low: from.getTime(), high: to.getTime() };
  const isByHour = buckets?.of === "hour";
  const local = buckets?.of === "day" ? await localHours(db, span, buckets.timeZone) : asOne(span);
  const whole = wholeHours(span, local);
  const { days, hours } = calendarOf(whole, isByHour || completeBefore === null ? span.low : completeBefore.getTime());
  const pieces = piecesOf(span, whole);
  const of = group === null ? { sum: Prisma.sql`NULL::text`, event: Prisma.sql`NULL::text` } : COLUMNS[group];
  const read = { scope, group, of: of.sum, where: inside(scope), sums: added(asked.counters ?? WANTED) };
  const parts = [
    ...(days.length > 0 ? [partsOfDays(days, read)] : []),
    ...(hours.length > 0 ? [isByHour ? partOfEachHour(hours, read) : partsOfHours(hours, read)] : []),
  ];
  if (pieces.length > 0 || parts.length === 0)
    parts.push(partsOfEvents(pieces, { where: read.where, of: of.event, asked }));
  return Prisma.sql`WITH part(${ALL}) AS (${Prisma.join(parts, " UNION ALL ")})`;
}

type Reading = { scope: UsageScope; group: UsageGroup | null; of: Prisma.Sql; where: Prisma.Sql; sums: Prisma.Sql };

function partsOfDays(days: UsageCalendar["days"], { scope, group, of, where, sums }: Reading): Prisma.Sql {
  const { isOne, inSpan, bucket, withBucket } = bucketsOfDays(days);
  return Prisma.sql`
      SELECT ${bucket}, u."group", ${NAMES}
        FROM (SELECT ${isOne ? Prisma.empty : Prisma.sql`day,`} ${of} AS "group", ${sums}
                FROM ${isByModel(scope, group) ? Prisma.sql`usage_model_day` : Prisma.sql`usage_day`}
               WHERE ${inSpan} AND ${where} AND (organisation_id, day) NOT IN (SELECT organisation_id, day FROM usage_late)
               GROUP BY ${isOne ? Prisma.sql`1` : Prisma.sql`1, 2`}) u ${withBucket}
      UNION ALL
      SELECT ${bucket}, u."group", ${NAMES}
        FROM (SELECT DISTINCT organisation_id, day FROM usage_late WHERE ${inSpan}) l ${withBucket}
       CROSS JOIN LATERAL (SELECT ${of} AS "group", ${sums} FROM usage_hour
              WHERE organisation_id = l.organisation_id AND hour >= l.day AND hour < l.day + interval '24 hours' AND ${where} GROUP BY 1) u`;
}

const partsOfHours = (hours: UsageCalendar["hours"], { of, where, sums }: Reading): Prisma.Sql => Prisma.sql`
      SELECT h.bucket, u."group", ${SIGNED}
        FROM ${rowsOfHours(hours)} p
       CROSS JOIN LATERAL (SELECT ${of} AS "group", ${sums} FROM usage_hour WHERE hour >= p.low AND hour < p.high AND ${where} GROUP BY 1) u
       ${WITH_SIGNS}`;

/** Where each hour is a bucket. */
function partOfEachHour(hours: UsageCalendar["hours"], { of, where, sums }: Reading): Prisma.Sql {
  const [first, last] = [hours[0] as Between, hours.at(-1) as Between];
  return Prisma.sql`
      SELECT hour, ${of}, ${sums} FROM usage_hour
       WHERE hour >= ${new Date(first.low)}::timestamptz AND hour < ${new Date(last.high)}::timestamptz AND ${where} GROUP BY 1, 2`;
}

function partsOfEvents(
  pieces: readonly Between[],
  { where, of, asked }: { where: Prisma.Sql; of: Prisma.Sql; asked: Sums },
): Prisma.Sql {
  const { from, buckets } = asked;
  const bucketOf = () => {
    if (buckets === null) return Prisma.sql`${from}::timestamptz`;
    return buckets.of === "hour"
      ? Prisma.sql`date_trunc('hour', e.started_at, 'UTC')`
      : Prisma.sql`date_trunc('day', e.started_at, ${buckets.timeZone})`;
  };
  return Prisma.sql`
      SELECT ${bucketOf()}, ${of}, 1, (e.outcome IN ('error', 'upstream_abort', 'not_executed'))::integer,
             (e.outcome = 'complete' AND jsonb_array_length(e.attempts) > 1)::integer, (e.counterfactual IS NOT NULL)::integer,
             e.input_tokens, e.cached_input_tokens, e.cache_write_tokens, e.output_tokens, e.reasoning_tokens, e.cost, e.charged,
             coalesce(e.counterfactual - e.charged, 0), e.latency_ms, coalesce(e.first_byte_ms, 0),
             (e.first_byte_ms IS NOT NULL)::integer
        FROM ${rowsOfPieces(pieces)} p CROSS JOIN LATERAL (
          SELECT * FROM usage_event WHERE started_at >= p.low AND started_at < p.high AND ${where} OFFSET 0) e`;
}
