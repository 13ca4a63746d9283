import type { AllowedLane, AllowedLanes } from "./allowed-lanes";
import type { Pin } from "./session-pins";
import type { PinUse } from "./shared";
import { rendezvous } from "./spread";

/**
 * Puts a session's lane first in an order that is made already. A session stays where it is pinned; without a pin, or
 * with its lane in trouble or no longer allowed, it goes to the lane of the best usable priority that the hash of its
 * name gives, which is the same in every process. Only lanes of the given order are chosen.
 * @param usable how many lanes at the head of the order can be used
 */
export function placeSession(
  ordered: AllowedLanes,
  usable: number,
  session: { name: string; pin: Pin | undefined },
): { lanes: AllowedLanes; use: PinUse } {
  const pinned = session.pin && ordered.findIndex(({ routeId }) => routeId === session.pin?.routeId);
  if (pinned !== undefined && pinned >= 0 && pinned < Math.max(usable, 1)) {
    return { lanes: toFront(ordered, ordered[pinned]!), use: "kept" };
  }
  const use: PinUse = session.pin === undefined ? "placed" : "moved";
  const first = ordered[0];
  if (usable < 2 || first === undefined) return { lanes: ordered, use };
  const choices = ordered.slice(0, usable).filter(({ priority }) => priority === first.priority);
  const chosen = rendezvous(
    session.name,
    choices,
    ({ routeId }) => routeId,
    ({ weight }) => weight,
  );
  return { lanes: chosen === undefined ? ordered : toFront(ordered, chosen), use };
}

const toFront = (lanes: AllowedLanes, first: AllowedLane): AllowedLanes =>
  lanes[0] === first ? lanes : [first, ...lanes.filter((lane) => lane !== first)];
