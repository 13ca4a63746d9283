/**
 * Whether a supplier's region satisfies the key's lock and the call's own restriction. A restriction names a region
 * (`eu-west`) or an area that contains it (`eu`); an empty list restricts nothing. Unknown names match nothing: the
 * lock fails closed.
 */
export function isRegionAllowed(region: string, keyRegions: readonly string[], callRegion: string | null): boolean {
  if (callRegion !== null && !isInside(region, callRegion)) return false;
  return keyRegions.length === 0 || keyRegions.some((allowed) => isInside(region, allowed));
}

function isInside(region: string, area: string): boolean {
  const name = region.toLowerCase();
  const want = area.toLowerCase();
  return name === want || name.startsWith(`${want}-`);
}

/** How a lane stands now. `readyAt` 0: it can be used; else when it can, in the clock's milliseconds. */
export type Standing = { readyAt: number; score: number };

const WELL: Standing = Object.freeze({ readyAt: 0, score: 1 });

/**
 * Lanes in the order in which they are tried: lower priority first; within one priority a random order in which a lane
 * comes first as often as its weight times its health says (Efraimidis & Spirakis, weighted random sampling without
 * replacement, 2006). Lanes in trouble come last, the one that is ready first before the others: they are never removed,
 * because somebody may have no other lane.
 */
export function orderLanes<L extends { priority: number; weight: number }>(
  lanes: readonly L[],
  random: () => number = Math.random,
  standing: (lane: L) => Standing = () => WELL,
): readonly L[] {
  if (lanes.length <= 1) return lanes;
  return lanes
    .map((lane) => {
      const { readyAt, score } = standing(lane);
      return { lane, readyAt, key: lane.weight > 0 ? random() ** (1 / (lane.weight * score)) : -1 };
    })
    .sort((a, b) => compare(a.readyAt, b.readyAt) || a.lane.priority - b.lane.priority || b.key - a.key)
    .map(({ lane }) => lane);
}

/** Like subtraction, also for infinities. */
const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);
