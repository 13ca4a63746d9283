import { describe, expect, test } from "vitest";
import type { BudgetView } from "~/domain/accounting/shared";
import { budgetStateOf, forecastOf, overAllocation } from "./forecast";

const now = new Date("2026-11-11T00:00:00Z");
const budget = (fields: Partial<BudgetView>): BudgetView => ({
  period: "monthly",
  limitNanoUsd: 100n,
  spentNanoUsd: 50n,
  heldNanoUsd: 0n,
  availableNanoUsd: 50n,
  resetsAt: new Date("2026-12-01T00:00:00Z"),
  ...fields,
});

describe("a forecast", () => {
  test("goes on at the pace since the period began", () => {
    expect(forecastOf(budget({}), now)).toEqual({ endNanoUsd: 150n, runsOutAt: new Date("2026-11-21T00:00:00Z") });
    expect(forecastOf(budget({ spentNanoUsd: 10n }), now)).toEqual({ endNanoUsd: 30n, runsOutAt: null });
    expect(forecastOf(budget({ limitNanoUsd: null }), now)).toEqual({ endNanoUsd: 150n, runsOutAt: null });
  });

  test("counts held money as not left, but not as spent", () => {
    expect(forecastOf(budget({ heldNanoUsd: 25n }), now)).toEqual({
      endNanoUsd: 150n,
      runsOutAt: new Date("2026-11-16T00:00:00Z"),
    });
    expect(forecastOf(budget({ heldNanoUsd: 50n }), now)?.runsOutAt).toEqual(now);
  });

  test("needs spending, and a quarter of an hour", () => {
    expect(forecastOf(budget({ spentNanoUsd: 0n }), now)).toBeNull();
    const day = budget({ period: "daily", resetsAt: new Date("2026-11-12T00:00:00Z") });
    expect(forecastOf(day, now)).toBeNull();
    expect(forecastOf(day, new Date("2026-11-11T00:14:59Z"))).toBeNull();
    expect(forecastOf(day, new Date("2026-11-11T00:15:00Z"))?.endNanoUsd).toBe(50n * 96n);
  });

  test("of a rolling budget ends when its oldest hour leaves the window", () => {
    const young = budget({ period: "rolling", resetsAt: new Date("2026-12-06T00:00:00Z") });
    expect(forecastOf(young, now)).toEqual({ endNanoUsd: 300n, runsOutAt: new Date("2026-11-16T00:00:00Z") });
    const full = budget({ period: "rolling", resetsAt: new Date("2026-11-11T01:00:00Z"), spentNanoUsd: 99n });
    expect(forecastOf(full, now)).toEqual({ endNanoUsd: 99n, runsOutAt: null });
  });

  test("is exact for amounts that no double holds, and never before the present in a period that has ended", () => {
    const huge = 9_007_199_254_740_993n;
    expect(forecastOf(budget({ limitNanoUsd: null, spentNanoUsd: huge }), now)?.endNanoUsd).toBe(huge * 3n);
    expect(forecastOf(budget({}), new Date("2026-12-02T00:00:00Z"))).toEqual({ endNanoUsd: 50n, runsOutAt: null });
  });
});

test("a budget is out when nothing is left, and near from 80 percent", () => {
  const state = (fields: Partial<BudgetView>) => budgetStateOf(budget(fields), forecastOf(budget(fields), now));
  expect(state({ limitNanoUsd: null })).toBe("none");
  expect(state({ limitNanoUsd: 0n, spentNanoUsd: 0n })).toBe("out");
  expect(state({ spentNanoUsd: 60n, heldNanoUsd: 40n })).toBe("out");
  expect(state({ spentNanoUsd: 40n })).toBe("runs_out");
  expect(state({ spentNanoUsd: 30n, heldNanoUsd: 10n })).toBe("ok");
  expect(state({ spentNanoUsd: 30n, heldNanoUsd: 11n })).toBe("runs_out");
  expect(state({ spentNanoUsd: 20n, heldNanoUsd: 5n })).toBe("ok");
  expect(state({ spentNanoUsd: 0n, heldNanoUsd: 80n })).toBe("near");
  expect(state({ spentNanoUsd: 0n, heldNanoUsd: 79n })).toBe("ok");
});

test("limits below exceed a budget only in its own period", () => {
  const below = [
    { period: "monthly" as const, limitNanoUsd: 101n },
    { period: "daily" as const, limitNanoUsd: 1_000n },
  ];
  expect(overAllocation(budget({}), below)).toEqual({ sumNanoUsd: 101n, overNanoUsd: 1n });
  expect(overAllocation(budget({ limitNanoUsd: 101n }), below).overNanoUsd).toBe(0n);
  expect(overAllocation(budget({ limitNanoUsd: 0n }), []).overNanoUsd).toBe(0n);
  expect(overAllocation(budget({ limitNanoUsd: null }), below)).toEqual({ sumNanoUsd: 101n, overNanoUsd: 0n });
});
