import type { BudgetView } from "~/domain/accounting/shared";

/** Minimum age of a period from which its pace means something. */
const MIN_PACE_MS = 15 * 60_000;
const ROLLING_MS = 720 * 3_600_000;
const DAY_MS = 86_400_000;
/** Percentage of a limit, spent and held, from which a budget is nearly used up. */
const NEAR_PERCENT = 80n;

/** How spending goes on at the average pace since the period began. */
export type Forecast = {
  /** Spent at the end of the period. */
  endNanoUsd: bigint;
  /** When nothing is left; null: the budget lasts until its period ends, or has no limit. */
  runsOutAt: Date | null;
};

type Counted = Pick<BudgetView, "period" | "limitNanoUsd" | "spentNanoUsd" | "heldNanoUsd" | "resetsAt">;

/**
 * Returns the forecast of a budget; null in the first 15 minutes of its period, and before anything is spent. A rolling
 * budget counts from its oldest hour with spending until that hour leaves the window: in between, none is given back.
 */
export function forecastOf(budget: Counted, now: Date): Forecast | null {
  const { limitNanoUsd: limit, spentNanoUsd: spent, heldNanoUsd: held, resetsAt } = budget;
  const startMs = periodStart(budget).getTime();
  const elapsedMs = now.getTime() - startMs;
  if (elapsedMs < MIN_PACE_MS || spent <= 0n) return null;
  const endNanoUsd = (spent * BigInt(Math.max(elapsedMs, resetsAt.getTime() - startMs))) / BigInt(elapsedMs);
  if (limit === null) return { endNanoUsd, runsOutAt: null };
  const left = limit - spent - held;
  const leftMs = left <= 0n ? 0 : Number((left * BigInt(elapsedMs)) / spent);
  const runsOutMs = now.getTime() + leftMs;
  return { endNanoUsd, runsOutAt: runsOutMs < resetsAt.getTime() ? new Date(runsOutMs) : null };
}

function periodStart({ period, resetsAt }: Counted): Date {
  if (period === "monthly") return new Date(Date.UTC(resetsAt.getUTCFullYear(), resetsAt.getUTCMonth() - 1, 1));
  return new Date(resetsAt.getTime() - (period === "daily" ? DAY_MS : ROLLING_MS));
}

/** States of a budget, the most urgent first. `runs_out`: before its period ends. `none`: it has no limit. */
export const BUDGET_STATES = ["out", "runs_out", "near", "ok", "none"] as const;
export type BudgetState = (typeof BUDGET_STATES)[number];

export function budgetStateOf(budget: Counted, forecast: Forecast | null): BudgetState {
  const { limitNanoUsd: limit, spentNanoUsd: spent, heldNanoUsd: held } = budget;
  if (limit === null) return "none";
  if (spent + held >= limit) return "out";
  if (forecast !== null && forecast.runsOutAt !== null) return "runs_out";
  return (spent + held) * 100n >= limit * NEAR_PERCENT ? "near" : "ok";
}

/** A sum of limits of one period. */
type LimitSum = { period: BudgetView["period"]; limitNanoUsd: bigint };

/**
 * Returns by how much the limits below a budget exceed it; 0: they do not, or it has none. Only limits of its own period
 * are comparable.
 */
export function overAllocation(
  budget: Pick<BudgetView, "period" | "limitNanoUsd">,
  below: readonly LimitSum[],
): { sumNanoUsd: bigint; overNanoUsd: bigint } {
  const sumNanoUsd = below.reduce((sum, each) => (each.period === budget.period ? sum + each.limitNanoUsd : sum), 0n);
  const limit = budget.limitNanoUsd;
  return { sumNanoUsd, overNanoUsd: limit !== null && sumNanoUsd > limit ? sumNanoUsd - limit : 0n };
}
