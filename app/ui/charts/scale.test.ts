import { expect, test } from "vitest";
import { axisOf, labelEvery } from "./scale";

test("an axis ends at or above the highest value, in round steps", () => {
  expect(axisOf(270)).toEqual({ ticks: [0, 50, 100, 150, 200, 250, 300], top: 300 });
  expect(axisOf(0.0042).top).toBeGreaterThanOrEqual(0.0042);
  for (const maximum of [1, 7, 99.9, 100, 1234567]) expect(axisOf(maximum).top).toBeGreaterThanOrEqual(maximum);
});

test("no two steps of an axis are written alike: one call is not a fifth of one", () => {
  const whole = (value: number) => String(Math.round(value));
  expect(axisOf(1, whole).ticks).toEqual([0, 1]);
  expect(axisOf(2, whole).ticks).toEqual([0, 1, 2]);
  for (let most = 1; most < 500; most += 1) {
    const { ticks, top } = axisOf(most, whole);
    expect(ticks).toEqual(ticks.map(Math.round));
    expect(top).toBeGreaterThanOrEqual(most);
  }
});

test("an axis without values still has a height", () => {
  expect(axisOf(0).top).toBeGreaterThan(0);
});

test("labels are thinned out where there are too many", () => {
  expect(labelEvery(30, 12)).toBe(3);
  expect(labelEvery(5, 12)).toBe(1);
});
