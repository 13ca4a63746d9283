import type { Route } from "~/domain/catalogue/shared";
import {
  type AllowedRoute,
  type AllowedRoutes,
  health,
  monotonicNow,
  orderRoutes,
  pins,
  placeSession,
} from "~/domain/routing/index.server";
import type { PinUse } from "~/domain/routing/shared";
import type { CallContext } from "../call-context";
import type { InferenceRequest } from "../canonical/inference-request";
import { NO_HINTS, type RoutingHints } from "../canonical/routing-hints";
import type { Dialect } from "../dialects/dialect";
import { type Session, sessionOf } from "./session";

/** Allowed routes, best first, with the reasons for their order. */
export type Order = {
  routes: AllowedRoutes;
  session: Session | null;
  pin: PinUse | null;
  pinnedCredential: string | null;
  /** Readiness and health score of each route; empty if there was nothing to order. */
  standings: ReadonlyMap<Route, { readyAt: number; score: number }>;
};

/** The part of a call that routing depends on. */
export type RoutingInput = Pick<CallContext, "caller" | "inference" | "dialect" | "sessionId"> & {
  readonly call: { request: Request };
};

const NO_STANDINGS: Order["standings"] = new Map();

/**
 * Orders allowed routes for the attempts. A model with one route and one credential needs no order. If a lock leaves
 * only one of several routes, the order is still made, so that the session records it.
 */
export function order(allowed: AllowedRoutes, all: readonly Route[], asking: RoutingInput): Order {
  const only = all.length === 1 ? allowed[0] : undefined;
  if (only !== undefined && only.supplier.credentials.length <= 1) {
    return { routes: allowed, session: null, pin: null, pinnedCredential: null, standings: NO_STANDINGS };
  }
  return orderFor(allowed, sessionFor(asking));
}

/** Returns the session of a request. */
export const sessionFor = (asking: RoutingInput): Session | null =>
  sessionOf(asking, () => hintsFor(asking.inference, asking.dialect));

/** Returns what routing may read of a request's content. */
export const hintsFor = (inference: InferenceRequest, dialect: Dialect): RoutingHints =>
  dialect.hints?.(inference) ?? NO_HINTS;

/** Orders routes for a known session. */
export function orderFor(allowed: AllowedRoutes, session: Session | null): Order {
  const now = monotonicNow();
  const fastestMs = fastest(allowed, now);
  const standings = new Map<Route, { readyAt: number; score: number }>();
  let usable = 0;
  for (const route of allowed) {
    const standing = health.standing(route, now, fastestMs);
    standings.set(route, standing);
    if (standing.readyAt === 0) usable += 1;
  }
  const routes = orderRoutes(allowed, Math.random, (route: AllowedRoute) => standings.get(route)!);
  if (session === null) return { routes, session, pin: null, pinnedCredential: null, standings };
  if (session.isFirstTurn) return { routes, session, pin: "first", pinnedCredential: null, standings };
  const pin = pins.get(session.name, now);
  const placed = placeSession(routes, usable, { name: session.name, pin });
  const pinnedCredential = placed.use === "kept" ? (pin?.credential ?? null) : null;
  return { routes: placed.routes, session, pin: placed.use, pinnedCredential, standings };
}

function fastest(routes: AllowedRoutes, now: number): number | null {
  let minimum: number | null = null;
  for (const route of routes) {
    const own = health.firstByteMs(route, now);
    if (own !== null && (minimum === null || own < minimum)) minimum = own;
  }
  return minimum;
}
