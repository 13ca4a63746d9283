import type { BudgetView } from "~/domain/accounting/shared";

const DAY_MS = 86_400_000;
/** Minimum age of the period in milliseconds; the pace of a shorter time is not meaningful. */
const MIN_MS = 15 * 60_000;

export type RunOut = { kind: "runsOut"; at: Date } | { kind: "lasts" } | null;

/**
 * Returns the time at which a budget is used up if spending continues at the average pace of its period. Null without a
 * limit, for rolling budgets (their spending in the window can fall at any hour), and while there is too little data.
 */
export function runOutOf(budget: BudgetView | null, now: Date): RunOut {
  if (budget === null || budget.limitNanoUsd === null || budget.availableNanoUsd === null) return null;
  if (budget.period === "rolling" || budget.spentNanoUsd === 0n || budget.availableNanoUsd === 0n) return null;
  const elapsedMs = now.getTime() - startOf(budget.period, budget.resetsAt).getTime();
  if (elapsedMs < MIN_MS) return null;
  const leftMs = (elapsedMs * Number(budget.availableNanoUsd)) / Number(budget.spentNanoUsd);
  const at = new Date(now.getTime() + Math.min(leftMs, 400 * DAY_MS));
  return at < budget.resetsAt ? { kind: "runsOut", at } : { kind: "lasts" };
}

function startOf(period: "daily" | "monthly", resetsAt: Date): Date {
  if (period === "daily") return new Date(resetsAt.getTime() - DAY_MS);
  return new Date(Date.UTC(resetsAt.getUTCFullYear(), resetsAt.getUTCMonth() - 1, 1));
}
