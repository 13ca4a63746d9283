import fc from "fast-check";
import { expect, test } from "vitest";
import {
  asOne,
  type Between,
  bucketsOf,
  calendarOf,
  hoursAround,
  hoursBegun,
  type LocalHours,
  piecesOf,
  steps,
  wholeHours,
} from "./calendar";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ZONES = [
  ...["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Kathmandu", "America/Sao_Paulo"],
  ...["America/Havana", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Chatham"],
];
// Two years with all clock changes, missing and repeated midnights, and the day that Apia skipped.
const YEARS = { low: Date.UTC(2011, 9, 1), high: Date.UTC(2013, 9, 1) };

const whole = (at: number, unit: number) => Math.floor(at / unit) * unit;

/** Returns the timestamps at which a day of a zone begins in these years, in ascending order. */
function midnightsOf(timeZone: string): number[] {
  const format = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short" });
  const found: number[] = [];
  let date = "";
  for (const at of steps(YEARS, 15 * MINUTE)) {
    const shown = format.format(at);
    if (shown !== date) found.push(at);
    date = shown;
  }
  return found;
}

/** Returns the local hours of a zone, in the database's form. */
function localHoursOf(midnights: readonly number[]): LocalHours[] {
  const found: LocalHours[] = [];
  for (const [n, first] of midnights.entries()) {
    const next = midnights[n + 1] ?? YEARS.high;
    const cut = whole(next, HOUR);
    found.push({ low: Math.ceil(first / HOUR) * HOUR, high: cut, first, last: first });
    if (cut < next) found.push({ low: cut, high: cut + HOUR, first, last: next });
  }
  return found;
}

const zones = new Map(
  ZONES.map((zone) => {
    const midnights = midnightsOf(zone);
    return [zone, { midnights, local: localHoursOf(midnights) }];
  }),
);
const midnightsIn = (zone: string) => zones.get(zone)!.midnights;
const localIn = (zone: string) => zones.get(zone)!.local;
const dayOf = (zone: string, at: number) => midnightsIn(zone).findLast((midnight) => midnight <= at)!;

const zone = fc.constantFrom(...ZONES);
const length = fc.oneof(fc.integer({ min: 0, max: 3 * DAY }), fc.integer({ min: 0, max: 70 * DAY }));
const unit = fc.constantFrom(1, MINUTE, 15 * MINUTE, HOUR, HOUR, DAY);
const span: fc.Arbitrary<Between> = fc
  .tuple(fc.integer({ min: YEARS.low + 2 * DAY, max: YEARS.high - 80 * DAY }), length, unit)
  .map(([at, ms, of]) => ({ low: whole(at, of), high: whole(at + ms, of) }));
const asked = fc
  .tuple(zone, span, fc.option(fc.integer({ min: -2, max: 72 }), { freq: 4 }))
  .map(([name, { low, high }, days]) => ({
    ...{ zone: name, low, high },
    completeBefore: days === null ? Number.POSITIVE_INFINITY : whole(low, DAY) + days * DAY,
  }));

/** Returns the number of times that each hour is counted in each bucket, without zeros. */
function counted({ days, hours }: ReturnType<typeof calendarOf>): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (bucket: number | null, { low, high }: Between, sign: number) => {
    if (bucket === null) return;
    for (const hour of steps({ low, high }, HOUR)) {
      const name = `${bucket} ${hour}`;
      const count = (counts.get(name) ?? 0) + sign;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    }
  };
  for (const day of days) add(day.bucket, day, 1);
  for (const each of hours) {
    add(each.plus, each, 1);
    add(each.minus, each, -1);
  }
  return counts;
}

test("each whole hour of a span is counted once, in its own bucket, and no other is", () => {
  fc.assert(
    fc.property(asked, ({ zone: name, completeBefore, ...between }) => {
      const counts = counted(calendarOf(wholeHours(between, localIn(name)), completeBefore));
      const expected = steps({ low: Math.ceil(between.low / HOUR) * HOUR, high: whole(between.high, HOUR) }, HOUR)
        .map((hour) => [dayOf(name, hour), dayOf(name, hour + HOUR - 1), hour])
        .flatMap(([first, last, hour]) => (first === last ? [[`${first} ${hour}`, 1] as const] : []));
      expect(counts).toEqual(new Map(expected));
    }),
    { numRuns: 200 },
  );
});

test("runs and pieces are the span, without gaps and overlaps, and a piece is never longer than what a midnight cuts", () => {
  fc.assert(
    fc.property(asked, ({ zone: name, low, high }) => {
      const runs = wholeHours({ low, high }, localIn(name));
      const pieces = piecesOf({ low, high }, runs);
      const all = [...runs, ...pieces].sort((a, b) => a.low - b.low);
      for (const each of all) expect(each.low).toBeLessThan(each.high);
      expect(all.map((each) => each.low)).toEqual(
        low < high ? [low, ...all.map((each) => each.high)].slice(0, -1) : [],
      );
      expect(all.at(-1)?.high ?? low).toBe(low < high ? high : low);
      for (const piece of pieces) expect(piece.high - piece.low).toBeLessThan(3 * HOUR);
    }),
    { numRuns: 200 },
  );
});

test("days are whole days of UTC before the one that is not complete; hours are few, in order, and taken away only of such days", () => {
  fc.assert(
    fc.property(asked, ({ zone: name, completeBefore, ...between }) => {
      const { days, hours } = calendarOf(wholeHours(between, localIn(name)), completeBefore);
      const taken = new Set(days.flatMap((day) => steps(day, DAY).map((at) => `${day.bucket} ${at}`)));
      for (const { low, high } of days) {
        expect([low % DAY, high % DAY]).toEqual([0, 0]);
        expect(high).toBeLessThanOrEqual(completeBefore);
      }
      for (const [n, { low, high, plus, minus }] of hours.entries()) {
        expect(low).toBeLessThan(high);
        expect(low).toBeGreaterThanOrEqual(hours[n - 1]?.high ?? low);
        expect(plus).not.toBe(minus);
        if (minus !== null) expect(taken).toContain(`${minus} ${whole(low, DAY)}`);
        if (low < completeBefore) expect(high - low).toBeLessThanOrEqual(DAY);
        else expect(minus).toBeNull();
      }
    }),
    { numRuns: 200 },
  );
});

test("a span as one bucket has its days at once, and hours and pieces at its ends", () => {
  const at = Date.UTC(2026, 2, 3, 22, 40);
  const between = { low: at, high: at + 30 * DAY };
  const runs = wholeHours(between, asOne(between));
  const first = Date.UTC(2026, 2, 4);
  expect(calendarOf(runs, Number.POSITIVE_INFINITY)).toEqual({
    days: [{ bucket: at, low: first, high: first + 30 * DAY }],
    hours: [
      { low: first - HOUR, high: first, plus: at, minus: null },
      { low: first + 30 * DAY - 2 * HOUR, high: first + 30 * DAY, plus: null, minus: at },
    ],
  });
  expect(piecesOf(between, runs)).toEqual([
    { low: at, high: first - HOUR },
    { low: first + 30 * DAY - 2 * HOUR, high: at + 30 * DAY },
  ]);
  expect(calendarOf(runs, first).days).toEqual([]);
});

test("a day in Berlin is the one of UTC with two hours before it and without its last two", () => {
  const low = Date.UTC(2012, 6, 9, 22);
  const between = { low, high: low + 2 * DAY };
  const [one, two] = [low, low + DAY];
  expect(calendarOf(wholeHours(between, localIn("Europe/Berlin")), Number.POSITIVE_INFINITY)).toEqual({
    days: [one, two].map((bucket) => ({ bucket, low: bucket + 2 * HOUR, high: bucket + 26 * HOUR })),
    hours: [
      { low: one, high: one + 2 * HOUR, plus: one, minus: null },
      { low: two, high: two + 2 * HOUR, plus: two, minus: one },
      { low: two + DAY, high: two + 26 * HOUR, plus: null, minus: two },
    ],
  });
});

test("hours that a midnight cuts count where they begin, if they are to be counted as a whole", () => {
  fc.assert(
    fc.property(asked, ({ zone: name, low, high }) => {
      const counts = counted(calendarOf(hoursBegun({ low, high }, localIn(name)), Number.POSITIVE_INFINITY));
      const hours = steps({ low: Math.ceil(low / HOUR) * HOUR, high }, HOUR);
      expect(counts).toEqual(new Map(hours.map((hour) => [`${dayOf(name, hour)} ${hour}`, 1])));
    }),
    { numRuns: 100 },
  );
});

test("buckets are all days from the one in which the first hour begins to the one in which the span ends", () => {
  fc.assert(
    fc.property(asked, ({ zone: name, low, high }) => {
      const begun = steps({ low: hoursAround({ low, high }).low, high }, HOUR).map((hour) => dayOf(name, hour));
      const days = low < high ? [...begun, dayOf(name, high - 1)] : begun;
      expect(bucketsOf({ low, high }, localIn(name))).toEqual([...new Set(days)]);
    }),
    { numRuns: 100 },
  );
});
