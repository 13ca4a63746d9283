import type { Lane, Model } from "~/domain/catalogue/shared";
import { type AllowedLane, type Lock, type PricedLane, whyNot } from "~/domain/routing/index.server";
import type { AutoRecord, AutorouterAlgorithm, RoutedLane, RoutingRecord } from "~/domain/routing/shared";
import type { Order } from "./order";

/** How the autorouter chose; kept as it was found, written out only when the call is settled. */
export type AutoTrace = {
  algorithm: AutorouterAlgorithm;
  chosen: Model;
  models: AutoRecord["models"];
  excluded: AutoRecord["excluded"];
  /** The best lane of the model that would serve the call without the autorouter. */
  default: PricedLane;
};

/** An attempt at a lane, and what became of it. */
export type TriedLane = { lane: AllowedLane; credential: string | null; outcome: string };

/** Why a call goes where it goes. */
export type RoutingTrace = {
  /** Every lane of the model that was asked for; for `auto` those of the models that were considered. */
  considered: readonly Lane[];
  lock: Lock;
  order: Order;
  auto: AutoTrace | null;
};

/**
 * A call's routing as it is stored with the call.
 * @param tried in the order of the attempts
 * @param costOf what the call's usage would have cost at another lane's price, in nano-USD
 */
export function describeRouting(
  trace: RoutingTrace,
  tried: readonly TriedLane[],
  costOf: (lane: PricedLane) => bigint,
): RoutingRecord {
  const { order, considered, lock, auto } = trace;
  const record: RoutingRecord = {
    lanes: order.lanes.map((lane) => describeLane(lane, order, tried)),
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

function describeLane(lane: AllowedLane, { standings }: Order, tried: readonly TriedLane[]): RoutedLane {
  const standing = standings.get(lane);
  const described: RoutedLane = {
    supplier: lane.supplier.name,
    region: lane.supplier.region,
    model: lane.model.id,
    upstreamModel: lane.upstreamModel,
    priority: lane.priority,
    weight: lane.weight,
    inputPerMtok: String(lane.price.inputPerMtok),
    outputPerMtok: String(lane.price.outputPerMtok),
    health: standing === undefined ? 1 : Math.round(standing.score * 1000) / 1000,
  };
  if (standing !== undefined && standing.readyAt > 0) described.inTrouble = true;
  for (const attempt of tried) {
    if (attempt.lane !== lane) continue;
    described.outcome = attempt.outcome;
    if (attempt.credential !== null) described.credential = attempt.credential;
  }
  return described;
}

function excludedOf(considered: readonly Lane[], lock: Lock): NonNullable<RoutingRecord["excluded"]> {
  return considered.flatMap((lane) => {
    const why = whyNot(lane, lock);
    const { supplier, upstreamModel } = lane;
    return why === null ? [] : [{ supplier: supplier.name, region: supplier.region, upstreamModel, why }];
  });
}
