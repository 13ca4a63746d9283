const DAY_MS = 86_400_000;
const MAX_DAYS = 7;
/** With fewer days of history, or fewer on which anything was spent, an average would be a guess. */
const MIN_DAYS = 3;

/** How fast a wallet empties. Amounts are nano-USD; days are UTC. */
export type BurnRate = {
  /** The first and the last day that were counted. */
  from: Date;
  to: Date;
  days: bigint[];
  /** The mean of those days, rounded up. */
  perDayNanoUsd: bigint;
  /** Whole days until nothing is available if it goes on like that; null: there is nothing left. */
  daysLeft: number | null;
};

/** Where the whole UTC days begin that say how fast a wallet empties, and where the last one ends; fewer than two: none says so. */
export function dayEdges(firstPosting: Date, now: Date): Date[] {
  const today = Math.floor(now.getTime() / DAY_MS);
  const firstWhole = Math.floor(firstPosting.getTime() / DAY_MS) + 1;
  const edges: Date[] = [];
  for (let day = Math.max(today - MAX_DAYS, firstWhole); day <= today; day += 1) edges.push(new Date(day * DAY_MS));
  return edges;
}

/** The rate at which a wallet was used on the days between the edges; null where it would be a guess. */
export function burnRateOf(edges: readonly Date[], days: readonly bigint[], availableNanoUsd: bigint): BurnRate | null {
  const [from] = edges;
  const to = edges.at(-2);
  if (from === undefined || to === undefined || days.filter((spent) => spent > 0n).length < MIN_DAYS) return null;
  const count = BigInt(days.length);
  const total = days.reduce((sum, spent) => sum + spent, 0n);
  const left = availableNanoUsd > 0n ? Number((availableNanoUsd * count) / total) : null;
  return { from, to, days: [...days], perDayNanoUsd: (total + count - 1n) / count, daysLeft: left };
}
