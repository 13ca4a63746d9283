import type { BudgetPeriod } from "~/domain/accounting/shared";
import { forecastOf } from "./forecast";
import type { AlertKind } from "./shared";

/** Current state of a budget or a wallet. Amounts are nano-USD. */
export type Reading = {
  kind: "budget" | "wallet";
  period: BudgetPeriod | null;
  /** Start of the period of daily and monthly budgets; the epoch for rolling budgets and wallets. */
  periodStart: Date;
  limitNanoUsd: bigint;
  spentNanoUsd: bigint;
  heldNanoUsd: bigint;
  /** When it last rejected a request since its limit was last changed. */
  refusedAt: Date | null;
};

/** State of a budget or wallet that is stored between two readings. */
export type Watch = {
  periodStart: Date;
  limitNanoUsd: bigint;
  spentNanoUsd: bigint;
  fired: readonly bigint[];
  refusedLeftNanoUsd: bigint | null;
  refusalsTo: Date;
  round: number;
};

export type Raised = { kind: AlertKind; threshold: bigint; round: number };

/** Distance below a threshold, in percent of the limit, from which it can fire again. */
const REARM_PERCENT = 5n;
/** Distance above a balance threshold, in percent of the threshold, from which it can fire again. */
const REARM_BALANCE_PERCENT = 20n;

/** Initial state for a budget or wallet that was never evaluated. */
export const firstWatch = (reading: Reading): Watch => ({
  periodStart: reading.periodStart,
  limitNanoUsd: reading.limitNanoUsd,
  spentNanoUsd: reading.spentNanoUsd,
  fired: [],
  refusedLeftNanoUsd: null,
  refusalsTo: new Date(0),
  round: 0,
});

/**
 * Returns the alerts to raise after a reading, and the new state. Each threshold fires once per period. Without periods (rolling budgets,
 * wallets) it fires again only after the amount has moved clearly back. `refusing` and `accepting` alternate. Pure; a repeated reading
 * raises nothing.
 */
export function step(
  before: Watch,
  reading: Reading,
  thresholds: readonly bigint[],
): { watch: Watch; raised: Raised[] } {
  const isNewPeriod = before.periodStart.getTime() !== reading.periodStart.getTime();
  const watch = { ...before, limitNanoUsd: reading.limitNanoUsd, spentNanoUsd: reading.spentNanoUsd };
  if (isNewPeriod) Object.assign(watch, { periodStart: reading.periodStart, fired: [], round: 0 });
  const raised: Raised[] = [];

  const stillFired = watch.fired.filter((threshold) => !isRearmed(reading, threshold));
  if (stillFired.length < watch.fired.length) watch.round += 1;
  const crossed = thresholds.filter((threshold) => isCrossed(reading, threshold) && !stillFired.includes(threshold));
  watch.fired = [...stillFired, ...crossed];
  const kind = reading.kind === "wallet" ? "low_balance" : "threshold";
  for (const threshold of crossed) raised.push({ kind, threshold, round: watch.round });

  const turn = refusalTurn(watch, reading, isNewPeriod);
  if (turn === null) return { watch, raised };
  raised.push({ kind: turn, threshold: 0n, round: watch.round });
  if (turn === "refusing") return { watch: { ...watch, ...refusedBy(reading) }, raised };
  // The next rejection starts a new round, so both alerts may be sent again within the period.
  return { watch: { ...watch, refusedLeftNanoUsd: null, round: watch.round + 1 }, raised };
}

function refusalTurn(watch: Watch, reading: Reading, isNewPeriod: boolean): "refusing" | "accepting" | null {
  if (watch.refusedLeftNanoUsd !== null) return isNewPeriod || hasRoomAgain(watch, reading) ? "accepting" : null;
  return reading.refusedAt !== null && reading.refusedAt > watch.refusalsTo ? "refusing" : null;
}

const refusedBy = (reading: Reading) => ({
  refusedLeftNanoUsd: leftOf(reading),
  refusalsTo: reading.refusedAt ?? new Date(0),
});

const leftOf = ({ limitNanoUsd, spentNanoUsd }: Reading) => limitNanoUsd - spentNanoUsd;

/** Whether more money is left than at the rejection: after a raised limit, or when old spending has left the window. */
function hasRoomAgain({ refusedLeftNanoUsd }: Watch, reading: Reading): boolean {
  const gained = leftOf(reading) - (refusedLeftNanoUsd ?? 0n);
  return gained > 0n && gained * 100n >= reading.limitNanoUsd * REARM_PERCENT;
}

const availableOf = (reading: Reading) => leftOf(reading) - reading.heldNanoUsd;

function isCrossed(reading: Reading, threshold: bigint): boolean {
  if (reading.kind === "wallet") return availableOf(reading) <= threshold;
  return reading.spentNanoUsd * 100n >= threshold * reading.limitNanoUsd && reading.limitNanoUsd > 0n;
}

function isRearmed(reading: Reading, threshold: bigint): boolean {
  if (reading.kind === "wallet") return availableOf(reading) * 100n >= threshold * (100n + REARM_BALANCE_PERCENT);
  if (reading.period !== "rolling") return false;
  return reading.spentNanoUsd * 100n <= (threshold - REARM_PERCENT) * reading.limitNanoUsd;
}

/**
 * Estimates when a daily or monthly budget is spent, at the pace since the period began. Null for other budgets, if it lasts until the
 * period ends, and in the first 15 minutes.
 */
export function runsOutAt(reading: Reading, { resetsAt, now }: { resetsAt: Date | null; now: Date }): Date | null {
  const { period } = reading;
  if (period === null || period === "rolling" || resetsAt === null || availableOf(reading) <= 0n) return null;
  return forecastOf({ ...reading, period, resetsAt }, now)?.runsOutAt ?? null;
}
