import { catalogue } from "~/domain/catalogue/index.server";
import { type Example, type KeyToTry, pickModelToTry } from "./model-to-try";
import { health, monotonicNow } from "./state";

export {
  type AllowedRoute,
  type AllowedRoutes,
  allowedRoutes,
  type Lock,
  type PricedRoute,
  whyNot,
} from "./allowed-routes";
export { type Attempt, AttemptPlan, release } from "./attempt-plan";
export { autoRole } from "./auto-role";
export { type AutoCandidate, type Needs, preferKnownAble, rankModels, whyUnfit } from "./autorouter";
export type { AttemptResult } from "./health/health-tracker";
export { readCredentialRests, readRouteHealth } from "./health/read-health";
export { readPoolHealth } from "./health/read-pool-health";
export { placeSession } from "./place-session";
export { isRegionAllowed, orderRoutes } from "./policy";
export { readModelMerits } from "./read-merits";
export { fractionOf } from "./spread";
export { health, monotonicNow, pins } from "./state";

/**
 * Returns a model for the example of a key that can be called immediately: the preferred one, else the cheapest
 * ordinary one. Without a key: one that any unrestricted key may use. Null: none is available.
 */
export function modelToTry(
  key: KeyToTry = { allowedModels: [], allowedRegions: [] },
  example: Example = { preferred: "sandbox-chat" },
): string | null {
  const now = monotonicNow();
  return pickModelToTry(catalogue(), { key, example, isReady: (route) => health.readyAt(route, now) === 0 });
}

/** Deletes the recorded health of a route in this process, so that its next call tries the route again. */
export function evictRouteHealth(routeId: number): void {
  health.evict(routeId);
}
