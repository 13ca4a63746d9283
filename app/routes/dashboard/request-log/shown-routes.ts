import type { AttemptRecord } from "~/domain/accounting/shared";
import type { RoutingRecord } from "~/domain/routing/shared";

/** The suppliers of a request that a reader sees: all candidates, those that were tried, or the one that served it. */
export type RoutesShown = "all" | "tried" | "served";

type Routes = { routing: RoutingRecord | null; attemptList: readonly AttemptRecord[] };

/** Returns a request's candidates and attempts as the reader may see them. A hidden supplier has an empty name. */
export function shownRoutes({ routing, attemptList }: Routes, shown: RoutesShown): Routes {
  if (shown === "all") return { routing, attemptList };
  const isShown = (outcome: string | null | undefined) =>
    shown === "tried" ? outcome != null : outcome === "delivered";
  return {
    routing: routing && { ...routing, lanes: routing.lanes.filter(({ outcome }) => isShown(outcome)), excluded: [] },
    attemptList: attemptList.map((attempt) => (isShown(attempt.outcome) ? attempt : { ...attempt, supplier: "" })),
  };
}
