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

/**
 * Lanes in the order in which they are tried: lower priority first; within one priority a random order in which a lane
 * comes first as often as its weight says (Efraimidis & Spirakis, weighted random sampling without replacement, 2006).
 */
export function orderLanes<L extends { priority: number; weight: number }>(
  lanes: readonly L[],
  random: () => number = Math.random,
): readonly L[] {
  if (lanes.length <= 1) return lanes;
  return lanes
    .map((lane) => ({ lane, key: lane.weight > 0 ? random() ** (1 / lane.weight) : -1 }))
    .sort((a, b) => a.lane.priority - b.lane.priority || b.key - a.key)
    .map(({ lane }) => lane);
}
