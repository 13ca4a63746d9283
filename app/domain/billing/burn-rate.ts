const DAY_MS = 86_400_000;
const MAX_DAYS = 7;
/** Minimum days of history, and minimum days with spending. With fewer, an average would be a guess. */
const MIN_DAYS = 3;

/** The rate at which a wallet is spent. Amounts are nano-USD; days are UTC. */
export type BurnRate = {
  /** First and last day that were counted. */
  from: Date;
  to: Date;
  days: bigint[];
  /** The mean of those days, rounded up. */
  perDayNanoUsd: bigint;
  /** Whole days until nothing is available at this rate; null: nothing is left now. */
  daysLeft: number | null;
};

/**
 * Returns the starts of the whole UTC days for the burn rate, and the end of the last day; fewer than two: there is no
 * such day.
 */
export function dayEdges(firstPosting: Date, now: Date): Date[] {
  const today = Math.floor(now.getTime() / DAY_MS);
  const firstFullDay = Math.floor(firstPosting.getTime() / DAY_MS) + 1;
  const edges: Date[] = [];
  for (let day = Math.max(today - MAX_DAYS, firstFullDay); day <= today; day += 1) edges.push(new Date(day * DAY_MS));
  return edges;
}

/** Returns the burn rate over the days between the edges; null when it would be a guess. */
export function burnRateOf(edges: readonly Date[], days: readonly bigint[], availableNanoUsd: bigint): BurnRate | null {
  const [from] = edges;
  const to = edges.at(-2);
  if (from === undefined || to === undefined || days.filter((spent) => spent > 0n).length < MIN_DAYS) return null;
  const count = BigInt(days.length);
  const total = days.reduce((sum, spent) => sum + spent, 0n);
  const remainingDays = availableNanoUsd > 0n ? Number((availableNanoUsd * count) / total) : null;
  return { from, to, days: [...days], perDayNanoUsd: (total + count - 1n) / count, daysLeft: remainingDays };
}
