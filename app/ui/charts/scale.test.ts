import { expect, test } from "vitest";
import { axisOf, labelEvery } from "./scale";

test("an axis ends at or above the highest value, in round steps", () => {
  expect(axisOf(270)).toEqual({ ticks: [0, 50, 100, 150, 200, 250, 300], top: 300 });
  expect(axisOf(0.0042).top).toBeGreaterThanOrEqual(0.0042);
  for (const maximum of [1, 7, 99.9, 100, 1234567]) expect(axisOf(maximum).top).toBeGreaterThanOrEqual(maximum);
});

test("an axis without values still has a height", () => {
  expect(axisOf(0).top).toBeGreaterThan(0);
});

test("labels are thinned out where there are too many", () => {
  expect(labelEvery(30, 12)).toBe(3);
  expect(labelEvery(5, 12)).toBe(1);
});
