import { expect, test } from "vitest";
import { errorHours } from "./error-hour";

test("an hour has the share of failed attempts in each five minutes, and nothing where there was none", () => {
  const hours = errorHours([
    { supplier: "one", slot: 0, attempts: 10, failed: 1 },
    { supplier: "one", slot: 11, attempts: 4, failed: 4 },
    { supplier: "two", slot: 12, attempts: 2, failed: 0 },
  ]);
  expect(hours.one).toEqual({ attempts: 14, failed: 5, shares: [0.1, ...Array(10).fill(null), 1] });
  expect(hours.two).toEqual({ attempts: 2, failed: 0, shares: [...Array(11).fill(null), 0] });
});
