const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A span from `low` (inclusive) to `high` (exclusive), in milliseconds since 1970, as all times in this file. */
export type Between = { low: number; high: number };

/**
 * Consecutive whole UTC hours. Each begins in the day `first` of a time zone and ends in the day `last`; a day is identified by its
 * midnight. The two days differ only for an hour that contains a midnight.
 */
export type LocalHours = Between & { first: number; last: number };

/** Consecutive whole UTC hours of one bucket. */
export type Run = Between & { bucket: number };

/**
 * The parts that make up the buckets: UTC days from midnight to midnight, and hours to add to a bucket (`plus`), to subtract from one
 * (`minus`), or both. In order and without overlaps.
 */
export type UsageCalendar = { days: Run[]; hours: (Between & { plus: number | null; minus: number | null })[] };

/** Extends a span to whole hours. */
export const hoursAround = ({ low, high }: Between): Between => ({ low: floorToHour(low), high: ceilToHour(high) });

/** All hours of a span as one bucket that begins with the span. */
export const asOne = (span: Between): LocalHours[] => [{ ...hoursAround(span), first: span.low, last: span.low }];

/** The hours that lie wholly inside a span and inside one bucket. */
export const wholeHours = ({ low, high }: Between, local: readonly LocalHours[]): Run[] =>
  joined(
    local.filter(({ first, last }) => first === last),
    { low: ceilToHour(low), high: floorToHour(high) },
  );

/** The hours that begin inside a span, each in the bucket in which it begins. */
export const hoursBegun = ({ low, high }: Between, local: readonly LocalHours[]): Run[] =>
  joined(local, { low: ceilToHour(low), high: ceilToHour(high) });

/** The parts of a span outside its runs. */
export function piecesOf({ low, high }: Between, runs: readonly Run[]): Between[] {
  const [lows, highs] = [runs.map((run) => run.low), runs.map((run) => run.high)];
  return [low, ...highs].map((from, n) => ({ low: from, high: lows[n] ?? high })).filter(isSome);
}

/**
 * Splits each run into UTC days, from the midnight nearest to its start to the one nearest to its end, and at most twelve hours at each
 * end to add or subtract. After `completeBefore`, a UTC midnight, it uses hours only. Takes a fraction of a millisecond for the days of
 * a month.
 */
export function calendarOf(runs: readonly Run[], completeBefore: number): UsageCalendar {
  const days: Run[] = [];
  const plus: Run[] = [];
  const minus: Run[] = [];
  for (const { bucket, low, high } of runs) {
    const [start, end] = [low, Math.max(low, Math.min(high, completeBefore))];
    const [first, last] = [nearestMidnight(start), nearestMidnight(end)];
    plus.push({ bucket, low: start, high: first === last ? end : first });
    if (first !== last) {
      days.push({ bucket, low: first, high: last });
      plus.push({ bucket, low: last, high: end });
      minus.push({ bucket, low: first, high: start }, { bucket, low: end, high: last });
    }
    plus.push({ bucket, low: end, high });
  }
  return { days, hours: signed(plus.filter(isSome), minus.filter(isSome)) };
}

/** The starts of all buckets in which an hour of the span begins, and of the bucket in which the span ends. */
export function bucketsOf({ low, high }: Between, local: readonly LocalHours[]): number[] {
  const span = hoursAround({ low, high });
  const touched = local.filter((each) => isSome(common(each, span)));
  const end = low < high ? touched.at(-1) : undefined;
  const last = end === undefined ? [] : [high > end.last ? end.last : end.first];
  return [...new Set([...touched.map(({ first }) => first), ...last])].sort(ascending);
}

/** The times from a span's start to before its end, `step` milliseconds apart. */
export const steps = ({ low, high }: Between, step: number): number[] =>
  Array.from({ length: Math.max(Math.ceil((high - low) / step), 0) }, (_, n) => low + n * step);

const floorToHour = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS;
const ceilToHour = (at: number): number => Math.ceil(at / HOUR_MS) * HOUR_MS;
const nearestMidnight = (at: number): number => Math.floor((at + DAY_MS / 2) / DAY_MS) * DAY_MS;
const common = (a: Between, b: Between): Between => ({ low: Math.max(a.low, b.low), high: Math.min(a.high, b.high) });
const isSome = ({ low, high }: Between): boolean => low < high;
const ascending = (a: number, b: number): number => a - b;

/** The hours inside a span as runs, by the bucket in which they begin. */
function joined(hours: readonly LocalHours[], span: Between): Run[] {
  const runs: Run[] = [];
  for (const { first, ...each } of hours) {
    const { low, high } = common(each, span);
    const before = runs.at(-1);
    if (low >= high) continue;
    if (before?.bucket === first && before.high === low) before.high = high;
    else runs.push({ bucket: first, low, high });
  }
  return runs;
}

/** Splits the runs at all their starts and ends. Drops hours that are added to and subtracted from the same bucket. */
function signed(plus: readonly Run[], minus: readonly Run[]): UsageCalendar["hours"] {
  const edges = [...new Set([...plus, ...minus].flatMap(({ low, high }) => [low, high]))].sort(ascending);
  const [added, taken] = [bucketAt(plus), bucketAt(minus)];
  return edges.slice(0, -1).flatMap((low, n) => {
    const hours = { low, high: edges[n + 1] as number, plus: added(low), minus: taken(low) };
    return hours.plus === hours.minus ? [] : [hours];
  });
}

/** Returns a function from a time to the bucket of its run; null: none. Its arguments must be ascending. */
function bucketAt(runs: readonly Run[]): (at: number) => number | null {
  let next = 0;
  return (at) => {
    while ((runs[next]?.high ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    const run = runs[next];
    return run !== undefined && run.low <= at ? run.bucket : null;
  };
}
