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
export type { AttemptResult } from "./health-tracker";
export { placeSession } from "./place-session";
export { isRegionAllowed, orderRoutes } from "./policy";
export { readCredentialRests, readRouteHealth } from "./read-health";
export { readModelMerits } from "./read-merits";
export { readPoolHealth } from "./read-pool-health";
export { fractionOf } from "./spread";
export { health, monotonicNow, pins } from "./state";

/**
 * The model that an example for a key names, so that it answers when it is pasted; the cheapest ordinary one where the
 * sandbox's is not there. Without a key: one that any unrestricted key may use. Null where there is none.
 */
export function modelToTry(
  key: KeyToTry = { allowedModels: [], allowedRegions: [] },
  example: Example = { preferred: "sandbox-chat" },
): string | null {
  const now = monotonicNow();
  return pickModelToTry(catalogue(), { key, example, isReady: (route) => health.readyAt(route, now) === 0 });
}

/** Forgets what is held against a route in this process: its next call goes there again. */
export function evictRouteHealth(routeId: number): void {
  health.evict(routeId);
}
