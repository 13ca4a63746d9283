import type { Lane } from "~/domain/catalogue/shared";
import {
  type AllowedLane,
  type AllowedLanes,
  health,
  orderLanes,
  pins,
  placeSession,
  steadyNow,
} from "~/domain/routing/index.server";
import type { PinUse } from "~/domain/routing/shared";
import type { Asked } from "../asked";
import type { Ask } from "../canonical/ask";
import { NO_HINTS, type RoutingHints } from "../canonical/routing-hints";
import type { Dialect } from "../dialects/dialect";
import { type Session, sessionOf } from "./session";

/** Allowed lanes, best first, and what made them so. */
export type Order = {
  lanes: AllowedLanes;
  session: Session | null;
  pin: PinUse | null;
  pinnedCredential: string | null;
  /** How each lane stood; empty when there was nothing to order. */
  standings: ReadonlyMap<Lane, { readyAt: number; score: number }>;
};

/** Who asks for what, as far as routing goes by it. */
export type Asking = Pick<Asked, "caller" | "ask" | "dialect" | "sessionId"> & { readonly call: { request: Request } };

const NO_STANDINGS: Order["standings"] = new Map();

/**
 * Puts allowed lanes in the order in which they are tried. For a model that has one lane with one credential there is
 * nothing to do; where a lock leaves one of several, a session is to know that it went there.
 */
export function order(allowed: AllowedLanes, all: readonly Lane[], asking: Asking): Order {
  const only = all.length === 1 ? allowed[0] : undefined;
  if (only !== undefined && only.supplier.credentials.length <= 1) {
    return { lanes: allowed, session: null, pin: null, pinnedCredential: null, standings: NO_STANDINGS };
  }
  return orderFor(allowed, sessionFor(asking));
}

/** The session of a request, with its pin and what the pin is worth. */
export const sessionFor = (asking: Asking): Session | null =>
  sessionOf(asking, () => hintsFor(asking.ask, asking.dialect));

/** What routing may know of a request's content. */
export const hintsFor = (ask: Ask, dialect: Dialect): RoutingHints => dialect.hints?.(ask) ?? NO_HINTS;

/** Orders lanes for a session that is known already. */
export function orderFor(allowed: AllowedLanes, session: Session | null): Order {
  const now = steadyNow();
  const fastestMs = fastest(allowed, now);
  const standings = new Map<Lane, { readyAt: number; score: number }>();
  let usable = 0;
  for (const lane of allowed) {
    const standing = health.standing(lane, now, fastestMs);
    standings.set(lane, standing);
    if (standing.readyAt === 0) usable += 1;
  }
  const lanes = orderLanes(allowed, Math.random, (lane: AllowedLane) => standings.get(lane)!);
  if (session === null) return { lanes, session, pin: null, pinnedCredential: null, standings };
  if (session.isFirstTurn) return { lanes, session, pin: "first", pinnedCredential: null, standings };
  const pin = pins.get(session.name, now);
  const placed = placeSession(lanes, usable, { name: session.name, pin });
  const pinnedCredential = placed.use === "kept" ? (pin?.credential ?? null) : null;
  return { lanes: placed.lanes, session, pin: placed.use, pinnedCredential, standings };
}

function fastest(lanes: AllowedLanes, now: number): number | null {
  let least: number | null = null;
  for (const lane of lanes) {
    const own = health.firstByteMs(lane, now);
    if (own !== null && (least === null || own < least)) least = own;
  }
  return least;
}
