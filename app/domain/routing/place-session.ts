import type { AllowedRoute, AllowedRoutes } from "./allowed-routes";
import type { Pin } from "./session-pins";
import type { PinUse } from "./shared";
import { rendezvous } from "./spread";

/**
 * Puts a session's route first in an order that is made already. A session stays where it is pinned; without a pin, or
 * with its route in trouble or no longer allowed, it goes to the route of the best usable priority that the hash of its
 * name gives, which is the same in every process. Only routes of the given order are chosen.
 * @param usable how many routes at the head of the order can be used
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
