import type { Model } from "~/domain/catalogue/shared";
import type { AllowedLanes } from "~/domain/routing/index.server";
import type { Order } from "./order";
import type { RoutingTrace } from "./trace";

export type { PricedLane } from "~/domain/routing/index.server";

/** Where a call may go: the allowed lanes, best first, all priced. Nothing else is ever dispatched. */
export type Plan = {
  /** The model that was asked for or chosen; its token limits cover every lane. */
  model: Model;
  lanes: AllowedLanes;
  /** The session's name; null when there is none, or nothing to choose. */
  session: string | null;
  /** It is the first turn of a session that is only guessed at: nothing is to be kept together yet. */
  isFirstTurn: boolean;
  /** The credential that the session used last. */
  pinnedCredential: string | null;
};

/** The part of a call that routing reads and writes. */
export type RoutedCall = { readonly request: Request; routing: RoutingTrace | null };

/** The plan that an order makes. */
export const planOf = (model: Model, { lanes, session, pinnedCredential }: Order): Plan => ({
  model,
  lanes,
  session: session?.name ?? null,
  isFirstTurn: session?.isFirstTurn ?? false,
  pinnedCredential,
});
