import type { Model } from "~/domain/catalogue/shared";
import type { AllowedRoutes } from "~/domain/routing/index.server";
import type { RoutingTrace } from "./trace";

export type { PricedRoute } from "~/domain/routing/index.server";

/** Routes that a call may take: the allowed routes, best first, all priced. Nothing else is ever dispatched. */
export type RoutePlan = {
  /** The requested or chosen model; its token limits cover every route. */
  readonly model: Model;
  readonly routes: AllowedRoutes;
  /** The session's name; null if there is none, or nothing to choose. */
  readonly session: string | null;
  /** First turn of a session that is only inferred: it does not use pins yet. */
  readonly isFirstTurn: boolean;
  /** The credential that the session used last. */
  readonly pinnedCredential: string | null;
  /** Reasons for this plan. */
  readonly trace: RoutingTrace;
};

/** Builds the plan from an order of routes. */
export function planOf(model: Model, trace: RoutingTrace): RoutePlan {
  const { routes, session, pinnedCredential } = trace.order;
  return {
    model,
    routes,
    session: session?.name ?? null,
    isFirstTurn: session?.isFirstTurn ?? false,
    pinnedCredential,
    trace,
  };
}
