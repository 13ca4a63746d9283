import type { Model, Route } from "~/domain/catalogue/shared";
import { type AllowedRoute, type Lock, type PricedRoute, whyNot } from "~/domain/routing/index.server";
import type { AutoRecord, AutorouterAlgorithm, RoutedRoute, RoutingRecord } from "~/domain/routing/shared";
import type { Order } from "./order";

/** Decision of the autorouter; kept as computed and serialised only at settlement. */
type AutoTrace = {
  algorithm: AutorouterAlgorithm;
  chosen: Model;
  models: AutoRecord["models"];
  excluded: AutoRecord["excluded"];
  /** The best route of the model that would serve the call without the autorouter. */
  default: PricedRoute;
};

/** An attempt at a route, and its outcome. */
export type TriedRoute = { route: AllowedRoute; credential: string | null; outcome: string };

/** Reasons for a call's routing. */
export type RoutingTrace = {
  /** Every route of the requested model; for `auto`, those of the chosen model. */
  considered: readonly Route[];
  lock: Lock;
  order: Order;
  auto: AutoTrace | null;
};

/**
 * Builds a call's routing record, as stored with the call.
 * @param tried in the order of the attempts
 * @param costOf cost of the call's usage at another route's price, in nano-USD
 */
export function describeRouting(
  trace: RoutingTrace,
  tried: readonly TriedRoute[],
  costOf: (route: PricedRoute) => bigint,
): RoutingRecord {
  const { order, considered, lock, auto } = trace;
  const record: RoutingRecord = {
    lanes: order.routes.map((route) => describeRoute(route, order, tried)),
  };
  if (order.session !== null && order.pin !== null) record.session = { from: order.session.from, pin: order.pin };
  const excluded = considered.length > 1 ? excludedOf(considered, lock) : [];
  if (excluded.length > 0) record.excluded = excluded;
  if (auto !== null) {
    const byDefault = { model: auto.default.model.id, costNanoUsd: String(costOf(auto.default)) };
    record.auto = { ...auto, chosen: auto.chosen.id, default: byDefault };
  }
  return record;
}

function describeRoute(route: AllowedRoute, { standings }: Order, tried: readonly TriedRoute[]): RoutedRoute {
  const standing = standings.get(route);
  const described: RoutedRoute = {
    supplier: route.supplier.name,
    region: route.supplier.region,
    model: route.model.id,
    upstreamModel: route.upstreamModel,
    priority: route.priority,
    weight: route.weight,
    inputPerMtok: String(route.price.inputPerMtok),
    outputPerMtok: String(route.price.outputPerMtok),
    health: standing === undefined ? 1 : Math.round(standing.score * 1000) / 1000,
  };
  if (standing !== undefined && standing.readyAt > 0) described.inTrouble = true;
  for (const attempt of tried) {
    if (attempt.route !== route) continue;
    described.outcome = attempt.outcome;
    if (attempt.credential !== null) described.credential = attempt.credential;
  }
  return described;
}

/** Returns the routes that are closed to a call, each with its reason. */
export function excludedOf(considered: readonly Route[], lock: Lock): NonNullable<RoutingRecord["excluded"]> {
  return considered.flatMap((route) => {
    const why = whyNot(route, lock);
    const { supplier, upstreamModel } = route;
    return why === null ? [] : [{ supplier: supplier.name, region: supplier.region, upstreamModel, why }];
  });
}
