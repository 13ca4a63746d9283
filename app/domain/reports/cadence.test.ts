import { expect, test } from "vitest";
import { nextTime, PRESETS, timesOf } from "./cadence";

const iso = (times: Date[] | null) => times?.map((at) => at.toISOString());
const from = (moment: string, count: number) => ({ after: new Date(moment), count });

test("eight in the morning stays eight in the morning when the clocks change", () => {
  expect(iso(timesOf(PRESETS.daily, "Europe/Berlin", from("2026-03-28T12:00Z", 2)))).toEqual([
    "2026-03-29T06:00:00.000Z",
    "2026-03-30T06:00:00.000Z",
  ]);
  expect(iso(timesOf(PRESETS.daily, "Europe/Berlin", from("2026-03-27T12:00Z", 1)))).toEqual([
    "2026-03-28T07:00:00.000Z",
  ]);
});

test("each day has one time, also where the clocks skip it or show it twice", () => {
  const march = timesOf("30 2 * * *", "Europe/Berlin", from("2026-03-27T12:00Z", 4));
  expect(march?.map((at) => at.toISOString().slice(0, 10))).toEqual([
    "2026-03-28",
    "2026-03-29",
    "2026-03-30",
    "2026-03-31",
  ]);
  const october = timesOf("30 2 * * *", "Europe/Berlin", from("2026-10-23T12:00Z", 4));
  expect(october?.map((at) => at.toISOString().slice(0, 10))).toEqual([
    "2026-10-24",
    "2026-10-25",
    "2026-10-26",
    "2026-10-27",
  ]);
});

test.each([
  ["* * * * *"],
  ["*/30 * * * *"],
  ["0 8 * *"],
  ["0 0 8 * * *"],
  ["0 8 30 2 *"],
  ["nonsense of words here !"],
  ["@daily"],
])("%s is refused", (cron) => {
  expect(timesOf(cron, "UTC", from("2026-01-01T00:00Z", 3))).toBeNull();
});

test("a zone that there is not has no times", () => {
  expect(nextTime("0 8 * * *", "Nowhere/Land", new Date())).toBeNull();
});
