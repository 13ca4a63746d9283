const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** From a moment to before another, in milliseconds since 1970, as all moments here are. */
export type Between = { low: number; high: number };

/**
 * Whole hours of UTC that follow one another, each of which begins in the day `first` of a time zone and ends in the day `last`. A day is named by its
 * midnight. The two are one and the same day, except of an hour that a midnight cuts in two.
 */
export type LocalHours = Between & { first: number; last: number };

/** Whole hours of UTC that belong to a bucket. */
export type Run = Between & { bucket: number };

/**
 * What to add up for the buckets: days of UTC, from midnight to midnight; and hours to be added to one bucket (`plus`), taken away from one (`minus`),
 * or both. In order, and no two of them overlap.
 */
export type UsageCalendar = { days: Run[]; hours: (Between & { plus: number | null; minus: number | null })[] };

/** The hours that a span touches. */
export const hoursAround = ({ low, high }: Between): Between => ({ low: hourBefore(low), high: hourBehind(high) });

/** All hours of a span as one bucket, which begins where the span does. */
export const asOne = (span: Between): LocalHours[] => [{ ...hoursAround(span), first: span.low, last: span.low }];

/** The hours that lie wholly inside a span and inside one bucket. */
export const wholeHours = ({ low, high }: Between, local: readonly LocalHours[]): Run[] =>
  joined(
    local.filter(({ first, last }) => first === last),
    { low: hourBehind(low), high: hourBefore(high) },
  );

/** The hours that begin inside a span, each in the bucket in which it begins. */
export const hoursBegun = ({ low, high }: Between, local: readonly LocalHours[]): Run[] =>
  joined(local, { low: hourBehind(low), high: hourBehind(high) });

/** What of a span lies in none of its runs. */
export function piecesOf({ low, high }: Between, runs: readonly Run[]): Between[] {
  const [lows, highs] = [runs.map((run) => run.low), runs.map((run) => run.high)];
  return [low, ...highs].map((from, n) => ({ low: from, high: lows[n] ?? high })).filter(isSome);
}

/**
 * Of each run, the days of UTC from the midnight next to its beginning to the one next to its end, and the hours between these and the run itself, twelve
 * at each end at most, to be added or taken away. Of what is not before `completeBefore`, a midnight of UTC, only the hours. Costs a fraction of a
 * millisecond for the days of a month.
 */
export function calendarOf(runs: readonly Run[], completeBefore: number): UsageCalendar {
  const days: Run[] = [];
  const plus: Run[] = [];
  const minus: Run[] = [];
  for (const { bucket, low, high } of runs) {
    const [start, end] = [low, Math.max(low, Math.min(high, completeBefore))];
    const [first, last] = [midnightNear(start), midnightNear(end)];
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

/** The starts of all buckets in which an hour that the span touches begins, and of the one in which the span ends. */
export function bucketsOf({ low, high }: Between, local: readonly LocalHours[]): number[] {
  const span = hoursAround({ low, high });
  const touched = local.filter((each) => isSome(common(each, span)));
  const end = low < high ? touched.at(-1) : undefined;
  const last = end === undefined ? [] : [high > end.last ? end.last : end.first];
  return [...new Set([...touched.map(({ first }) => first), ...last])].sort(ascending);
}

/** The beginning of a span, and what follows it in steps of so many milliseconds, up to before its end. */
export const steps = ({ low, high }: Between, step: number): number[] =>
  Array.from({ length: Math.max(Math.ceil((high - low) / step), 0) }, (_, n) => low + n * step);

const hourBefore = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS;
const hourBehind = (at: number): number => Math.ceil(at / HOUR_MS) * HOUR_MS;
const midnightNear = (at: number): number => Math.floor((at + DAY_MS / 2) / DAY_MS) * DAY_MS;
const common = (a: Between, b: Between): Between => ({ low: Math.max(a.low, b.low), high: Math.min(a.high, b.high) });
const isSome = ({ low, high }: Between): boolean => low < high;
const ascending = (a: number, b: number): number => a - b;

/** What of the hours lies inside a span, by the bucket in which they begin. */
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

/** Cut where either begins or ends; without what is added to a bucket and taken away from the same. */
function signed(plus: readonly Run[], minus: readonly Run[]): UsageCalendar["hours"] {
  const edges = [...new Set([...plus, ...minus].flatMap(({ low, high }) => [low, high]))].sort(ascending);
  const [added, taken] = [bucketAt(plus), bucketAt(minus)];
  return edges.slice(0, -1).flatMap((low, n) => {
    const hours = { low, high: edges[n + 1] as number, plus: added(low), minus: taken(low) };
    return hours.plus === hours.minus ? [] : [hours];
  });
}

/** The bucket of the run in which a moment lies; null: in none. To be asked for later and later moments. */
function bucketAt(runs: readonly Run[]): (at: number) => number | null {
  let next = 0;
  return (at) => {
    while ((runs[next]?.high ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    const run = runs[next];
    return run !== undefined && run.low <= at ? run.bucket : null;
  };
}
