import { LRUCache } from "lru-cache";
import type { Reads } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import { type Between, hoursAround, type LocalHours, type Run, steps, type UsageCalendar } from "./calendar";

/** UTC days of one query. The last 30 or 90 days are usually in one or two stretches. */
const STRETCH_DAYS = 128;
const DAY_MS = 86_400_000;
const STRETCH_MS = STRETCH_DAYS * DAY_MS;
/** Two stretches for each of 200 time zones. A stretch has at most about 260 entries. */
const MAX_KEPT = 400;
/** Lifetime of cached hours. New time-zone rules of the database take effect after it. */
const KEPT_MS = 3_600_000;
const cache = new LRUCache<string, LocalHours[]>({ max: MAX_KEPT, ttl: KEPT_MS });

/**
 * Returns the hours of a span, and some before and after it, by the days of a time zone, in order. They come from the database's own
 * `date_trunc`, because it puts calls into buckets; the result is cached for an hour.
 */
export async function localHours(db: Reads, { low, high }: Between, timeZone: string): Promise<LocalHours[]> {
  const hours = hoursAround({ low, high });
  const starts = steps({ ...hours, low: Math.floor(hours.low / STRETCH_MS) * STRETCH_MS }, STRETCH_MS);
  const cached = new Map(starts.map((at) => [at, cache.get(`${at} ${timeZone}`)]));
  const unknown = starts.filter((at) => cached.get(at) === undefined);
  if (unknown.length > 0)
    for (const [at, read] of await readStretches(db, unknown, timeZone)) {
      cache.set(`${at} ${timeZone}`, read);
      cached.set(at, read);
    }
  return starts.flatMap((at) => cached.get(at) ?? []);
}

/** Reads one row per stretch, because Prisma would need more time for rows of single days than the database. Seconds since 1970. */
async function readStretches(
  db: Reads,
  starts: readonly number[],
  timeZone: string,
): Promise<[number, LocalHours[]][]> {
  const rows = await db.$queryRaw<{ start: number; lows: number[]; firsts: number[]; lasts: number[] }[]>`
    SELECT ${seconds("start")} AS start, array_agg(${seconds("h")} ORDER BY h) AS lows,
           array_agg(${seconds("first")} ORDER BY h) AS firsts, array_agg(${seconds("last")} ORDER BY h) AS lasts
      FROM (SELECT *, lag(first) OVER of_start AS first_before, lag(last) OVER of_start AS last_before
              FROM (SELECT start, h, date_trunc('day', h, ${timeZone}) AS first,
                           date_trunc('day', h + interval '1 hour' - interval '1 microsecond', ${timeZone}) AS last
                      FROM ${rowsOf({ start: starts })} s
                     CROSS JOIN generate_series(start, start + ${24 * STRETCH_DAYS - 1}::integer * interval '1 hour', interval '1 hour') h) x
            WINDOW of_start AS (PARTITION BY start ORDER BY h)) y
     WHERE first IS DISTINCT FROM first_before OR last IS DISTINCT FROM last_before GROUP BY start`;
  return rows.map(({ start, lows, firsts, lasts }) => {
    const end = start * 1000 + STRETCH_MS;
    const hours = lows.map((low, n) => ({
      low: low * 1000,
      high: n + 1 < lows.length ? (lows[n + 1] as number) * 1000 : end,
      first: (firsts[n] as number) * 1000,
      last: (lasts[n] as number) * 1000,
    }));
    return [start * 1000, hours];
  });
}

const seconds = (column: string): Prisma.Sql => Prisma.raw(`extract(epoch FROM ${column})::double precision`);

/** Rows for a FROM: `low` and `high`. */
export const rowsOfPieces = (pieces: readonly Between[]): Prisma.Sql =>
  rowsOf({ low: pieces.map(({ low }) => low), high: pieces.map(({ high }) => high) });

/**
 * SQL that selects rows with a `day` for at least one day: the condition `inSpan`, the join `withBucket` after their FROM, and their
 * `bucket`. Days of one bucket (`isOne`) need no join.
 */
export function bucketsOfDays(days: UsageCalendar["days"]) {
  const [first, last] = [days[0] as Run, days.at(-1) as Run];
  const isOne = days.length === 1;
  return {
    isOne,
    inSpan: Prisma.sql`day >= ${new Date(first.low)}::timestamptz AND day < ${new Date(last.high)}::timestamptz`,
    bucket: isOne ? Prisma.sql`${new Date(first.bucket)}::timestamptz` : Prisma.sql`d.bucket`,
    withBucket: isOne ? Prisma.empty : Prisma.sql`JOIN ${rowsOfDays(days)} d USING (day)`,
  };
}

/** Rows for a FROM: `bucket` and each `day` of it. */
function rowsOfDays(days: UsageCalendar["days"]): Prisma.Sql {
  const all = days.flatMap((run) => steps(run, DAY_MS).map((day) => ({ bucket: run.bucket, day })));
  return rowsOf({ bucket: all.map(({ bucket }) => bucket), day: all.map(({ day }) => day) });
}

/** SQL after a FROM with rows `p` of hours: `h`, each bucket to add to or subtract from, with the `sign`. Ends in a condition. */
export const WITH_SIGNS = Prisma.sql`CROSS JOIN LATERAL (VALUES (p.plus, 1), (p.minus, -1)) h(bucket, sign) WHERE h.bucket IS NOT NULL`;

/** Rows for a FROM: `low`, `high`, and the buckets `plus` and `minus`. */
export const rowsOfHours = (hours: UsageCalendar["hours"]): Prisma.Sql =>
  rowsOf({
    low: hours.map(({ low }) => low),
    high: hours.map(({ high }) => high),
    plus: hours.map(({ plus }) => plus),
    minus: hours.map(({ minus }) => minus),
  });

/** Columns of times, one parameter each. Numbers are encoded and parsed much faster than dates. */
function rowsOf(columns: Readonly<Record<string, readonly (number | null)[]>>): Prisma.Sql {
  const moments = Object.keys(columns).map((name) => `to_timestamp(${name}) AS ${name}`);
  const lists = Object.values(columns).map(
    (list) => Prisma.sql`${`{${list.map((at) => (at === null ? "NULL" : at / 1000)).join()}}`}::double precision[]`,
  );
  return Prisma.sql`(SELECT ${Prisma.raw(moments.join(", "))} FROM unnest(${Prisma.join(lists)}) x(${Prisma.raw(Object.keys(columns).join(", "))}))`;
}
