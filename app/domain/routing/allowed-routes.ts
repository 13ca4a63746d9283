import type { Route } from "~/domain/catalogue/shared";
import { isRegionAllowed } from "./policy";
import type { RouteExclusion } from "./shared";

export type PricedRoute = Route & { price: NonNullable<Route["price"]> };

declare const allowed: unique symbol;

/** A route that a call may use. Only `allowedRoutes` makes it, and only it can be dispatched. */
export type AllowedRoute = PricedRoute & { readonly [allowed]: true };
export type AllowedRoutes = readonly AllowedRoute[];

/** What a call is locked to. */
export type Lock = {
  /** Empty: every model. */
  models: readonly string[];
  /** Empty: every region. */
  regions: readonly string[];
  /** The call's own restriction. */
  callRegion: string | null;
  /** Whether the route's supplier can be asked in the client's dialect. */
  reaches(route: Route): boolean;
  /** A dearer tier of service that is asked for: only where it has a price; absent: none. */
  tier?: "priority" | undefined;
};

/** Why a route is closed to a call; null when it is open. Prices come last, so that "no price" never hides a lock. */
export function whyNot(route: Route, lock: Lock): RouteExclusion | null {
  if (lock.models.length > 0 && !lock.models.includes(route.model.id)) return "model";
  if (route.supplier.draining) return "draining";
  if (!lock.reaches(route)) return "protocol";
  if (!isRegionAllowed(route.supplier.region, lock.regions, lock.callRegion)) return "region";
  return route.price === null || (lock.tier !== undefined && !route.price.tiers?.[lock.tier]) ? "price" : null;
}

/**
 * The routes that a call may use: its plan, its retries, probes, sessions and the autorouter choose among these and
 * cannot reach others. The given list itself, and nothing new, when all of it is open.
 */
export function allowedRoutes(routes: readonly Route[], lock: Lock): AllowedRoutes {
  const open = routes.every((route) => whyNot(route, lock) === null)
    ? routes
    : routes.filter((route) => whyNot(route, lock) === null);
  return open as AllowedRoutes;
}
