/**
 * Whether a supplier's region meets the restrictions of the key and of the call. A restriction names a region
 * (`eu-west`) or an area that contains it (`eu`); an empty list is no restriction. Unknown names match no region, so
 * the check fails closed.
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
 * Current state of a route. `readyAt` 0: available; else the time when it will be, in milliseconds of the monotonic
 * clock.
 */
export type RouteState = { readyAt: number; score: number };

const WELL: RouteState = Object.freeze({ readyAt: 0, score: 1 });

/**
 * Orders routes for their attempts: lower priority first; within a priority at random, weighted by weight times health
 * (Efraimidis & Spirakis, weighted random sampling without replacement, 2006). Unavailable routes come last, by the
 * time when they become available. They are never removed, because a call may have no other route.
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

/** Like subtraction, but also correct for infinities. */
const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);
