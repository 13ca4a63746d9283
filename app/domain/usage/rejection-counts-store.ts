import type { Reads } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import { asOne, calendarOf, hoursBegun, type UsageCalendar } from "./calendar";
import { bucketsOfDays, localHours, rowsOfHours, WITH_SIGNS } from "./calendar-store";
import { scopeKeys } from "./scope-store";
import type { GroupRejections, RejectionPoint, RejectionReason, UsageScope } from "./shared";
import type { Span } from "./usage-store";

const isOfAnyKey = (scope: UsageScope): boolean =>
  scope.organisationId === null &&
  [scope.organisationIds, scope.keyIds, scope.userIds, scope.departmentIds, scope.projectIds].every(
    (ids) => ids === undefined,
  );

/** The condition that a count belongs to a key of the scope. */
const ofScope = (scope: UsageScope) =>
  isOfAnyKey(scope) ? Prisma.sql`true` : Prisma.sql`key_id IN (${scopeKeys(scope)})`;

/** `bucket` null: the span is one bucket that begins with it. */
type Counted = Omit<Span, "bucket"> & { bucket: Span["bucket"] | null };

/**
 * Builds `WITH … part`: the counts of a span with their buckets; some are negative. A UTC hour counts where it begins. Days of a time zone
 * are made of UTC days and the hours between the midnights.
 */
async function countedParts(
  db: Reads,
  scope: UsageScope,
  { from, to, bucket, timeZone }: Counted,
): Promise<Prisma.Sql> {
  if (bucket === "hour")
    return Prisma.sql`
    WITH part AS (
      SELECT date_trunc('hour', hour, 'UTC') AS bucket, key_id, code, scope, refusals FROM refusal_hour
       WHERE hour >= ${from}::timestamptz AND hour < ${to}::timestamptz AND ${ofScope(scope)}
    )`;
  const span = { low: from.getTime(), high: to.getTime() };
  const local = bucket === null ? asOne(span) : await localHours(db, span, timeZone);
  const { days, hours } = calendarOf(hoursBegun(span, local), Number.POSITIVE_INFINITY);
  const parts = [
    ...(days.length > 0 ? [partOfDays(days, scope)] : []),
    ...(hours.length > 0 || days.length === 0 ? [partOfHours(hours, scope)] : []),
  ];
  return Prisma.sql`WITH part(bucket, key_id, code, scope, refusals) AS (${Prisma.join(parts, " UNION ALL ")})`;
}

function partOfDays(days: UsageCalendar["days"], scope: UsageScope): Prisma.Sql {
  const { inSpan, bucket, withBucket } = bucketsOfDays(days);
  return Prisma.sql`
      SELECT ${bucket}, key_id, code, scope, refusals FROM refusal_day ${withBucket} WHERE ${inSpan} AND ${ofScope(scope)}`;
}

const partOfHours = (hours: UsageCalendar["hours"], scope: UsageScope): Prisma.Sql => Prisma.sql`
      SELECT h.bucket, c.key_id, c.code, c.scope, h.sign * c.refusals
        FROM ${rowsOfHours(hours)} p
       CROSS JOIN LATERAL (SELECT * FROM refusal_hour WHERE hour >= p.low AND hour < p.high AND ${ofScope(scope)} OFFSET 0) c
       ${WITH_SIGNS}`;

/** Returns sums by bucket, code and scope. */
export async function sumRejectionsByBucket(db: Reads, scope: UsageScope, span: Span): Promise<RejectionPoint[]> {
  const parts = await countedParts(db, scope, span);
  return db.$queryRaw<RejectionPoint[]>`${parts}
    SELECT bucket, code, scope, sum(refusals)::integer AS rejections FROM part
     GROUP BY bucket, code, scope HAVING sum(refusals) > 0 ORDER BY bucket, code, scope`;
}

/** Columns of a key by which rejections can be grouped. */
const OWNERS = {
  key: Prisma.sql`k.id`,
  user: Prisma.sql`k.user_id`,
  department: Prisma.sql`k.department_id`,
  project: Prisma.sql`k.project_id`,
  organisation: Prisma.sql`k.organisation_id`,
};
export type RejectionGroup = keyof typeof OWNERS;

/** Returns sums by each key's current owner, and by bucket unless that is null. */
export async function sumRejectionsByGroup(
  db: Reads,
  scope: UsageScope,
  { group, ...span }: Counted & { group: RejectionGroup },
): Promise<GroupRejections[]> {
  const parts = await countedParts(db, scope, span);
  return db.$queryRaw<GroupRejections[]>`${parts}
    SELECT r.bucket, ${OWNERS[group]} AS "group", sum(r.refusals)::integer AS rejections
      FROM (SELECT bucket, key_id, sum(refusals) AS refusals FROM part GROUP BY bucket, key_id) r JOIN api_key k ON k.id = r.key_id
     GROUP BY 1, 2 HAVING sum(r.refusals) > 0 ORDER BY 1, 3 DESC, 2`;
}

export function sumRejectionsByReason(
  db: Reads,
  scope: UsageScope,
  { from, to }: { from: Date; to: Date },
): PromiseLike<RejectionReason[]> {
  return db.$queryRaw<RejectionReason[]>`
    WITH of_key AS (
      SELECT code, scope, key_id, sum(refusals) AS refusals, max(last_at) AS last_at FROM refusal_hour
       WHERE hour >= ${from}::timestamptz AND hour < ${to}::timestamptz AND ${ofScope(scope)} GROUP BY code, scope, key_id
    )
    SELECT code, scope, sum(refusals)::integer AS rejections, max(last_at) AS "lastAt", count(*)::integer AS keys,
           (array_agg(key_id ORDER BY refusals DESC, key_id))[1] AS "keyId"
      FROM of_key GROUP BY code, scope ORDER BY 3 DESC, code, scope`;
}

/** Returns the keys of a scope with rejections for one of `codes` in the UTC hours from `since` on, most rejections first. */
export async function keysRejectedFor(
  db: Reads,
  scope: UsageScope,
  { codes, since, limit }: { codes: readonly string[]; since: Date; limit: number },
): Promise<{ keyId: number; rejections: number }[]> {
  return db.$queryRaw<{ keyId: number; rejections: number }[]>`
    SELECT key_id AS "keyId", sum(refusals)::integer AS rejections FROM refusal_hour
     WHERE hour >= date_trunc('hour', ${since}::timestamptz, 'UTC') AND code = ANY (${[...codes]}::text[]) AND ${ofScope(scope)}
     GROUP BY key_id ORDER BY 2 DESC, 1 LIMIT ${limit}`;
}
