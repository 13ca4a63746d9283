import type { AllowedRoute, AllowedRoutes } from "./allowed-routes";
import type { Pin } from "./session-pins";
import type { PinUse } from "./shared";
import { rendezvous } from "./spread";

/**
 * Moves a session's route to the front of an ordered list. A pinned session keeps its route. Without a pin, or if the
 * pinned route is unavailable or not allowed, the hash of the session's name chooses a route of the best available
 * priority; all processes share the hash. Chooses only routes of the list.
 * @param usable number of available routes at the head of the list
 */
export function placeSession(
  ordered: AllowedRoutes,
  usable: number,
  session: { name: string; pin: Pin | undefined },
): { routes: AllowedRoutes; use: PinUse } {
  const pinned = session.pin && ordered.findIndex(({ routeId }) => routeId === session.pin?.routeId);
  if (pinned !== undefined && pinned >= 0 && pinned < Math.max(usable, 1)) {
    return { routes: toFront(ordered, ordered[pinned]!), use: "kept" };
  }
  const use: PinUse = session.pin === undefined ? "placed" : "moved";
  const first = ordered[0];
  if (usable < 2 || first === undefined) return { routes: ordered, use };
  const choices = ordered.slice(0, usable).filter(({ priority }) => priority === first.priority);
  const chosen = rendezvous(session.name, choices, {
    identify: ({ routeId }) => routeId,
    weigh: ({ weight }) => weight,
  });
  return { routes: chosen === undefined ? ordered : toFront(ordered, chosen), use };
}

const toFront = (routes: AllowedRoutes, first: AllowedRoute): AllowedRoutes =>
  routes[0] === first ? routes : [first, ...routes.filter((route) => route !== first)];
