import { expect, test } from "vitest";
import type { BudgetView } from "~/domain/accounting/shared";
import { runOutOf } from "./forecast";

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

test("half of a budget in ten days is gone in ten more", () => {
  expect(runOutOf(budget({}), now)).toEqual({ kind: "runsOut", at: new Date("2026-11-21T00:00:00Z") });
});

test("what lasts beyond the reset lasts", () => {
  expect(runOutOf(budget({ spentNanoUsd: 10n, availableNanoUsd: 90n }), now)).toEqual({ kind: "lasts" });
});

test("nothing is said without a limit, without spending, and about rolling budgets", () => {
  expect(runOutOf(null, now)).toBeNull();
  expect(runOutOf(budget({ limitNanoUsd: null, availableNanoUsd: null }), now)).toBeNull();
  expect(runOutOf(budget({ spentNanoUsd: 0n }), now)).toBeNull();
  expect(runOutOf(budget({ period: "rolling" }), now)).toBeNull();
});
