import type { Reads } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import { asOne, type Between, calendarOf, piecesOf, type UsageCalendar, wholeHours } from "./calendar";
import { bucketsOfDays, localHours, rowsOfHours, rowsOfPieces, WITH_SIGNS } from "./calendar-store";
import { scopeCondition } from "./scope-store";
import type { UsageGroup, UsageScope } from "./shared";

/** A question for sums: the span, its buckets (null: none), and the time before which UTC days are complete (null: none is). */
export type Sums = {
  from: Date;
  to: Date;
  buckets: { of: "hour" | "day"; timeZone: string } | null;
  completeBefore: Date | null;
  /** The wanted columns; the others are null. Absent: all. */
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
/** The wanted sums of a table; the others are NULL. */
const added = (counters: ReadonlySet<string>): Prisma.Sql =>
  Prisma.raw(
    COUNTERS.map((name) => (counters.has(name) ? `sum(${name})::bigint AS ${name}` : `NULL::bigint AS ${name}`)).join(
      ", ",
    ),
  );

/** Whether a question can be answered from sums without keys and people. */
const isByModel = (scope: UsageScope, group: UsageGroup | null): boolean =>
  [scope.keyIds, scope.userIds, scope.departmentIds, scope.projectIds].every((ids) => ids === undefined) &&
  (group === null || group === "organisation" || group === "model" || group === "supplier" || group === "region");

/**
 * Builds `WITH … part`: the rows to be summed, each with its bucket and group. They come from four sources:
 * - complete UTC days (`calendarOf`), without keys and people where the question allows it, which are fewer rows;
 * - days of an organisation that received calls after they were summed, hour by hour;
 * - hours at the ends of the days, and hours of incomplete days;
 * - usage rows of the remaining parts of hours: at the ends of the span, and at midnight in time zones with a half-hour offset.
 * A group's sums in a bucket can cancel out to zero requests; the caller must drop these. Empty sources are left out of the statement.
 */
export async function usageParts(
  db: Reads,
  scope: UsageScope,
  query: Sums,
  group: UsageGroup | null,
): Promise<Prisma.Sql> {
  const { from, to, buckets, completeBefore } = query;
  const span = { low: from.getTime(), high: to.getTime() };
  const isByHour = buckets?.of === "hour";
  const local = buckets?.of === "day" ? await localHours(db, span, buckets.timeZone) : asOne(span);
  const fullHours = wholeHours(span, local);
  const { days, hours } = calendarOf(
    fullHours,
    isByHour || completeBefore === null ? span.low : completeBefore.getTime(),
  );
  const pieces = piecesOf(span, fullHours);
  const of = group === null ? { sum: Prisma.sql`NULL::text`, event: Prisma.sql`NULL::text` } : COLUMNS[group];
  const read = { scope, group, of: of.sum, where: scopeCondition(scope), sums: added(query.counters ?? WANTED) };
  const parts = [
    ...(days.length > 0 ? [partsOfDays(days, read)] : []),
    ...(hours.length > 0 ? [isByHour ? partOfEachHour(hours, read) : partsOfHours(hours, read)] : []),
  ];
  if (pieces.length > 0 || parts.length === 0)
    parts.push(partsOfEvents(pieces, { where: read.where, of: of.event, asked: query }));
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

/** The hours of a question with hourly buckets. */
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
