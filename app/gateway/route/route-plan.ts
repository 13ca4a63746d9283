import type { Model } from "~/domain/catalogue/shared";
import type { AllowedRoutes } from "~/domain/routing/index.server";
import type { RoutingTrace } from "./trace";

export type { PricedRoute } from "~/domain/routing/index.server";

/** Where a call may go: the allowed routes, best first, all priced. Nothing else is ever dispatched. */
export type RoutePlan = {
  /** The model that was asked for or chosen; its token limits cover every route. */
  readonly model: Model;
  readonly routes: AllowedRoutes;
  /** The session's name; null when there is none, or nothing to choose. */
  readonly session: string | null;
  /** It is the first turn of a session that is only guessed at: nothing is to be kept together yet. */
  readonly isFirstTurn: boolean;
  /** The credential that the session used last. */
  readonly pinnedCredential: string | null;
  /** Why it came out so. */
  readonly trace: RoutingTrace;
};

/** The plan that an order of routes makes. */
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
