import { catalogue } from "~/domain/catalogue/index.server";
import { recordTokenEvent } from "~/domain/credentials/index.server";
import { type CoolingChange, CredentialCooling } from "./credential-cooling";
import { HealthBook } from "./health-book";
import { type Example, type KeyToTry, pickModelToTry } from "./model-to-try";
import { SessionPins } from "./session-pins";
import type { CredentialRestView, LaneHealthView } from "./shared";

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
export { readPoolHealth } from "./read-pool-health";
export { fractionOf } from "./spread";
export { release, Tries, type Try } from "./tries";

/** What this process has learned about lanes and credentials. Its times are those of `steadyNow`. */
export const health = new HealthBook(new CredentialCooling(noteCooling));

/** Where this process's sessions are. */
export const pins = new SessionPins();

/** Milliseconds of a clock that nobody sets. */
export const steadyNow = (): number => performance.now();

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

/** The health of every lane that had traffic in this process, for an admin page. */
export function readLaneHealth(now = steadyNow()): LaneHealthView[] {
  return health.lanes(now).map(({ lane, coolUntil, ...rest }) => ({
    routeId: lane.routeId,
    model: lane.model.id,
    supplier: lane.supplier.name,
    region: lane.supplier.region,
    coolDownEndsAt: coolUntil > now ? wallTime(coolUntil, now) : null,
    ...rest,
  }));
}

/** The credentials that rest in this process, for an admin page. Names only. */
export function readCredentialRests(now = steadyNow()): CredentialRestView[] {
  return health.rests(now).map(({ until, ...rest }) => ({ endsAt: wallTime(until, now), ...rest }));
}

/** Forgets what is held against a lane in this process: its next call goes there again. */
export function forgetLaneHealth(routeId: number): void {
  health.forget(routeId);
}

/** Writes into the event log that a credential has begun to rest, or is trusted again. */
function noteCooling({ supplier, credential, model, reason, restMs }: CoolingChange): void {
  const where = model === null ? "for all models" : `for ${model}`;
  recordTokenEvent({
    provider: supplier.name,
    keyName: credential.name,
    kind: restMs === null ? "recovered" : "cooled",
    source: "traffic",
    errorKind: reason,
    detail: restMs === null ? where : `${where}, ${Math.ceil(restMs / 1_000)} s`,
  });
}

const wallTime = (at: number, now: number) => new Date(Date.now() + at - now).toISOString();
