import type { CredentialRestView, RouteHealthView } from "../shared";
import { health, monotonicNow } from "../state";

/** Returns the health of every route with traffic in this process, for an admin page. */
export function readRouteHealth(now = monotonicNow()): RouteHealthView[] {
  return health.routes(now).map(({ route, coolUntil, ...rest }) => ({
    routeId: route.routeId,
    model: route.model.id,
    supplier: route.supplier.name,
    region: route.supplier.region,
    coolDownEndsAt: coolUntil > now ? wallTime(coolUntil, now) : null,
    ...rest,
  }));
}

/** Lists the credentials that cool down in this process, for an admin page. Names only. */
export function readCredentialRests(now = monotonicNow()): CredentialRestView[] {
  return health.rests(now).map(({ until, ...rest }) => ({ endsAt: wallTime(until, now), ...rest }));
}

const wallTime = (at: number, now: number) => new Date(Date.now() + at - now).toISOString();
