import type { BudgetPeriod } from "~/domain/accounting/shared";
import type { AlertKind } from "./shared";

/** How a budget or a wallet stands. Amounts are nano-USD. */
export type Reading = {
  kind: "budget" | "wallet";
  period: BudgetPeriod | null;
  /** Of daily and monthly budgets; the epoch where there are no periods. */
  periodStart: Date;
  limitNanoUsd: bigint;
  spentNanoUsd: bigint;
  heldNanoUsd: bigint;
  /** When a request was last refused by it since its limit was last changed. */
  refusedAt: Date | null;
};

/** What is remembered of a budget or wallet between two readings. */
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

/** How far a share has to fall below a threshold, in percent of the limit, before it can fire again. */
const REARM_PERCENT = 5n;
/** How much a balance has to rise above its threshold, in percent of the threshold. */
const REARM_BALANCE_PERCENT = 20n;

/** What nobody has looked at yet. */
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
 * What there is to tell after a reading, and what to remember. Every threshold fires once a period. Where there are no periods
 * (rolling budgets, wallets), it fires again only after the amount has gone well back behind it. `refusing` and `accepting`
 * take turns. Pure; the same reading again raises nothing.
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

  const kept = watch.fired.filter((threshold) => !isRearmed(reading, threshold));
  if (kept.length < watch.fired.length) watch.round += 1;
  const crossed = thresholds.filter((threshold) => isCrossed(reading, threshold) && !kept.includes(threshold));
  watch.fired = [...kept, ...crossed];
  const kind = reading.kind === "wallet" ? "low_balance" : "threshold";
  for (const threshold of crossed) raised.push({ kind, threshold, round: watch.round });

  const turn = refusalTurn(watch, reading, isNewPeriod);
  if (turn === null) return { watch, raised };
  raised.push({ kind: turn, threshold: 0n, round: watch.round });
  if (turn === "refusing") return { watch: { ...watch, ...refusedBy(reading) }, raised };
  // The next refusal is another round: within the period both may be told again.
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

/** Small calls that still fit only make it less; more is left after a raised limit, or when old spending leaves the window. */
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

/** Less than this says nothing about the pace. */
const MIN_PACE_MS = 15 * 60_000;

/**
 * When a daily or monthly budget is used up if spending goes on as it has since the period began. Null for others, when it
 * lasts until the period ends, and in the first quarter of an hour.
 */
export function runsOutAt(reading: Reading, period: { resetsAt: Date | null; now: Date }): Date | null {
  const { resetsAt, now } = period;
  const available = Number(availableOf(reading));
  if (reading.period === null || reading.period === "rolling" || resetsAt === null) return null;
  if (reading.spentNanoUsd <= 0n || available <= 0) return null;
  const elapsedMs = now.getTime() - reading.periodStart.getTime();
  if (elapsedMs < MIN_PACE_MS) return null;
  const at = now.getTime() + (elapsedMs * available) / Number(reading.spentNanoUsd);
  return at < resetsAt.getTime() ? new Date(at) : null;
}
