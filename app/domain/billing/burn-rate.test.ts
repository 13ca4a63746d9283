import { expect, test } from "vitest";
import { burnRateOf, dayEdges } from "./burn-rate";

const day = (date: string) => new Date(`${date}T00:00:00Z`);
const NOW = new Date("2026-11-23T15:00:00Z");

test("the seven whole UTC days before today count, or those since the day after the first posting", () => {
  const week = dayEdges(day("2026-01-01"), NOW);
  expect(week).toHaveLength(8);
  expect([week[0], week.at(-1)]).toEqual([day("2026-11-16"), day("2026-11-23")]);
  expect(dayEdges(new Date("2026-11-19T23:59:59Z"), NOW)[0]).toEqual(day("2026-11-20"));
  expect(dayEdges(new Date("2026-11-22T10:00:00Z"), NOW)).toEqual([day("2026-11-23")]);
});

test("the mean of the days says how many whole days are left", () => {
  const edges = dayEdges(day("2026-11-19"), NOW);
  expect(burnRateOf(edges, [2n, 0n, 1n], 10n)).toBeNull();
  expect(burnRateOf(edges, [2n, 5n, 1n], 10n)).toEqual({
    from: day("2026-11-20"),
    to: day("2026-11-22"),
    days: [2n, 5n, 1n],
    perDayNanoUsd: 3n,
    daysLeft: 3,
  });
});

test("fewer than three days with spending say nothing, and an empty wallet has no days left", () => {
  const edges = dayEdges(day("2026-01-01"), NOW);
  expect(burnRateOf(edges, [0n, 0n, 0n, 0n, 0n, 9n, 9n], 100n)).toBeNull();
  expect(burnRateOf([NOW], [], 100n)).toBeNull();
  expect(burnRateOf(edges, [1n, 1n, 1n, 0n, 0n, 0n, 0n], -1n)?.daysLeft).toBeNull();
});
