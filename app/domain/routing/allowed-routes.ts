import type { Route } from "~/domain/catalogue/shared";
import { isRegionAllowed } from "./policy";
import type { RouteExclusion } from "./shared";

export type PricedRoute = Route & { price: NonNullable<Route["price"]> };

declare const allowed: unique symbol;

/** A route that a call may use. Only `allowedRoutes` creates this type, and only this type can be dispatched. */
export type AllowedRoute = PricedRoute & { readonly [allowed]: true };
export type AllowedRoutes = readonly AllowedRoute[];

/** Restrictions of a call. */
export type Lock = {
  /** Empty: every model. */
  models: readonly string[];
  /** Empty: every region. */
  regions: readonly string[];
  /** Region restriction of the call itself. */
  callRegion: string | null;
  /** Whether gw can call the route's supplier for the client's dialect. */
  reaches(route: Route): boolean;
  /** Requested service tier that costs more: requires a price for it; absent: none. */
  tier?: "priority" | undefined;
};

/**
 * Returns the reason why a call may not use a route; null: it may. The price is checked last, so that "no price" never
 * hides a restriction.
 */
export function whyNot(route: Route, lock: Lock): RouteExclusion | null {
  if (lock.models.length > 0 && !lock.models.includes(route.model.id)) return "model";
  if (route.supplier.draining) return "draining";
  if (!lock.reaches(route)) return "protocol";
  if (!isRegionAllowed(route.supplier.region, lock.regions, lock.callRegion)) return "region";
  return route.price === null || (lock.tier !== undefined && !route.price.tiers?.[lock.tier]) ? "price" : null;
}

/**
 * Returns the routes that a call may use. Its plan, retries, probes, sessions and the autorouter choose only among
 * these. Returns the input array itself if every route is allowed.
 */
export function allowedRoutes(routes: readonly Route[], lock: Lock): AllowedRoutes {
  const open = routes.every((route) => whyNot(route, lock) === null)
    ? routes
    : routes.filter((route) => whyNot(route, lock) === null);
  return open as AllowedRoutes;
}
