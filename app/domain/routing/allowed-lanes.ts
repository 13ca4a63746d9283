import type { Lane } from "~/domain/catalogue/shared";
import { isRegionAllowed } from "./policy";
import type { LaneExclusion } from "./shared";

export type PricedLane = Lane & { price: NonNullable<Lane["price"]> };

declare const allowed: unique symbol;

/** A lane that a call may use. Only `allowedLanes` makes it, and only it can be dispatched. */
export type AllowedLane = PricedLane & { readonly [allowed]: true };
export type AllowedLanes = readonly AllowedLane[];

/** What a call is locked to. */
export type Lock = {
  /** Empty: every model. */
  models: readonly string[];
  /** Empty: every region. */
  regions: readonly string[];
  /** The call's own restriction. */
  callRegion: string | null;
  /** Whether the lane's supplier can be asked in the client's dialect. */
  reaches(lane: Lane): boolean;
};

/** Why a lane is closed to a call; null when it is open. Prices come last, so that "no price" never hides a lock. */
export function whyNot(lane: Lane, lock: Lock): LaneExclusion | null {
  if (lock.models.length > 0 && !lock.models.includes(lane.model.id)) return "model";
  if (lane.supplier.draining) return "draining";
  if (!lock.reaches(lane)) return "protocol";
  if (!isRegionAllowed(lane.supplier.region, lock.regions, lock.callRegion)) return "region";
  return lane.price === null ? "price" : null;
}

/**
 * The lanes that a call may use: its plan, its retries, probes, sessions and the autorouter choose among these and
 * cannot reach others. The given list itself, and nothing new, when all of it is open.
 */
export function allowedLanes(lanes: readonly Lane[], lock: Lock): AllowedLanes {
  const open = lanes.every((lane) => whyNot(lane, lock) === null)
    ? lanes
    : lanes.filter((lane) => whyNot(lane, lock) === null);
  return open as AllowedLanes;
}
