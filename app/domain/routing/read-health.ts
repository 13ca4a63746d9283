import type { CredentialRestView, LaneHealthView } from "./shared";
import { health, steadyNow } from "./state";

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

const wallTime = (at: number, now: number) => new Date(Date.now() + at - now).toISOString();
