import fc from "fast-check";
import { expect, test } from "vitest";
import { firstWatch, type Reading, runsOutAt, step, type Watch } from "./step";

const DAY = new Date("2026-11-23T00:00:00Z");
const reading = (spent: bigint, more: Partial<Reading> = {}): Reading => ({
  kind: "budget",
  period: "daily",
  periodStart: DAY,
  limitNanoUsd: 100n,
  spentNanoUsd: spent,
  heldNanoUsd: 0n,
  refusedAt: null,
  ...more,
});
const USUAL = [50n, 80n, 100n];

/** Takes the readings one after another; answers what each raised. */
function told(readings: readonly Reading[], thresholds: readonly bigint[] = USUAL): string[][] {
  let watch: Watch = firstWatch(readings[0] as Reading);
  return readings.map((each) => {
    const { watch: after, raised } = step(watch, each, thresholds);
    watch = after;
    return raised.map(({ kind, threshold }) => (threshold === 0n ? kind : `${kind} ${threshold}`));
  });
}

test("a threshold fires when it is reached, once a period, also when the limit is raised and reached again", () => {
  const raisedLimit = { limitNanoUsd: 1_000n };
  expect(
    told([reading(49n), reading(50n), reading(79n), reading(50n, raisedLimit), reading(500n, raisedLimit)]),
  ).toEqual([[], ["threshold 50"], [], [], []]);
  const tomorrow = { periodStart: new Date("2026-11-24T00:00:00Z") };
  expect(told([reading(85n), reading(0n, tomorrow), reading(80n, tomorrow)])).toEqual([
    ["threshold 50", "threshold 80"],
    [],
    ["threshold 50", "threshold 80"],
  ]);
});

test("a rolling budget that goes back and forth over a threshold tells again only after falling well below it", () => {
  const rolling = (spent: bigint) => reading(spent, { period: "rolling", periodStart: new Date(0) });
  expect(told([80n, 79n, 80n, 76n, 80n, 75n, 80n].map(rolling), [80n])).toEqual([
    ["threshold 80"],
    [],
    [],
    [],
    [],
    [],
    ["threshold 80"],
  ]);
});

test("a wallet tells of its low balance, and again only after it was filled well above that", () => {
  const wallet = (balance: bigint) =>
    reading(0n, { kind: "wallet", period: null, periodStart: new Date(0), limitNanoUsd: balance });
  expect(told([500n, 100n, 110n, 90n, 120n, 100n].map(wallet), [100n])).toEqual([
    [],
    ["low_balance 100"],
    [],
    [],
    [],
    ["low_balance 100"],
  ]);
});

test("beginning to refuse is told far below the limit, once, and so is that there is room again", () => {
  const refusedAt = new Date("2026-11-23T10:00:00Z");
  const later = new Date("2026-11-23T12:00:00Z");
  const raisedLimit = { limitNanoUsd: 200n };
  expect(
    told([
      reading(60n, { refusedAt }),
      reading(61n, { refusedAt: later }),
      reading(61n, raisedLimit),
      reading(61n, { ...raisedLimit, refusedAt: later }),
      reading(0n, { periodStart: new Date("2026-11-24T00:00:00Z") }),
    ]),
  ).toEqual([["threshold 50", "refusing"], [], ["accepting"], ["refusing"], ["accepting"]]);
});

test("whatever the readings, within a round of a period nothing is raised twice, and the same reading again raises nothing", () => {
  const readings = fc.array(
    fc.record({
      spent: fc.bigInt(0n, 150n),
      limit: fc.constantFrom(50n, 100n, 200n),
      day: fc.constantFrom(0, 1),
      rolling: fc.boolean(),
      refused: fc.option(fc.integer({ min: 0, max: 1_000 })),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(readings, fc.boolean(), (all, rolling) => {
      let day = 0;
      const list = all.map((each) => {
        day += each.day;
        return reading(each.spent, {
          period: rolling ? "rolling" : "daily",
          periodStart: rolling ? new Date(0) : new Date(DAY.getTime() + day * 86_400_000),
          limitNanoUsd: each.limit,
          refusedAt: each.refused === null ? null : new Date(each.refused),
        });
      });
      const seen = new Set<string>();
      let watch = list[0] ? firstWatch(list[0]) : null;
      for (const each of list) {
        if (watch === null) return;
        const first = step(watch, each, USUAL);
        for (const { kind, threshold, round } of first.raised) {
          const name = `${each.periodStart.getTime()} ${kind} ${threshold} ${round}`;
          expect(seen.has(name)).toBe(false);
          seen.add(name);
        }
        expect(step(first.watch, { ...each, refusedAt: null }, USUAL).raised).toEqual([]);
        watch = first.watch;
      }
    }),
  );
});

test("a forecast follows the pace of the period, and says nothing where there is too little to go by", () => {
  const resetsAt = new Date("2026-11-24T00:00:00Z");
  const noon = { resetsAt, now: new Date("2026-11-23T12:00:00Z") };
  expect(runsOutAt(reading(80n), noon)).toEqual(new Date("2026-11-23T15:00:00Z"));
  expect(runsOutAt(reading(40n), noon)).toBeNull();
  expect(runsOutAt(reading(80n), { resetsAt, now: new Date("2026-11-23T00:10:00Z") })).toBeNull();
  expect(runsOutAt(reading(80n, { period: "rolling" }), noon)).toBeNull();
});
