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

/** How a route stands now. `readyAt` 0: it can be used; else when it can, in the clock's milliseconds. */
export type RouteState = { readyAt: number; score: number };

const WELL: RouteState = Object.freeze({ readyAt: 0, score: 1 });

/**
 * Routes in the order in which they are tried: lower priority first; within one priority a random order in which a route
 * comes first as often as its weight times its health says (Efraimidis & Spirakis, weighted random sampling without
 * replacement, 2006). Routes in trouble come last, the one that is ready first before the others: they are never removed,
 * because somebody may have no other route.
 */
export function orderRoutes<L extends { priority: number; weight: number }>(
  routes: readonly L[],
  random: () => number = Math.random,
  stateOf: (route: L) => RouteState = () => WELL,
): readonly L[] {
  if (routes.length <= 1) return routes;
  return routes
    .map((route) => {
      const { readyAt, score } = stateOf(route);
      return { route, readyAt, key: route.weight > 0 ? random() ** (1 / (route.weight * score)) : -1 };
    })
    .sort((a, b) => compare(a.readyAt, b.readyAt) || a.route.priority - b.route.priority || b.key - a.key)
    .map(({ route }) => route);
}

/** Like subtraction, also for infinities. */
const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);
