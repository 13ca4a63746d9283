import { catalogue } from "~/domain/catalogue/index.server";
import { type Example, type KeyToTry, pickModelToTry } from "./model-to-try";
import { health, steadyNow } from "./state";

export {
  type AllowedLane,
  type AllowedLanes,
  allowedLanes,
  type Lock,
  type PricedLane,
  whyNot,
} from "./allowed-lanes";
export { type AutoCandidate, type Needs, preferKnownAble, rankModels, whyUnfit } from "./autorouter";
export type { Finding } from "./health-book";
export { placeSession } from "./place-session";
export { isRegionAllowed, orderLanes } from "./policy";
export { readCredentialRests, readLaneHealth } from "./read-health";
export { readPoolHealth } from "./read-pool-health";
export { fractionOf } from "./spread";
export { health, pins, steadyNow } from "./state";
export { release, Tries, type Try } from "./tries";

/**
 * The model that an example for a key names, so that it answers when it is pasted; the cheapest ordinary one where the
 * sandbox's is not there. Without a key: one that any unrestricted key may use. Null where there is none.
 */
export function modelToTry(
  key: KeyToTry = { allowedModels: [], allowedRegions: [] },
  example: Example = { preferred: "sandbox-chat" },
): string | null {
  const now = steadyNow();
  return pickModelToTry(catalogue(), key, example, (lane) => health.readyAt(lane, now) === 0);
}

/** Forgets what is held against a lane in this process: its next call goes there again. */
export function forgetLaneHealth(routeId: number): void {
  health.forget(routeId);
}
