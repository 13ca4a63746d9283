import { priceUsage } from "~/domain/metering/index.server";
import { log } from "~/log.server";
import { formatUsd } from "~/money";
import type { Usage } from "./canonical/usage";
import type { PricedLane } from "./plan";

/** For each route this often at most. */
const SAY_AGAIN_MS = 60_000;
const said = new Map<number, number>();

/**
 * Compares what a supplier says its work has cost with the price that is charged for it. The price holds in any case; where the
 * supplier wants more than it brings in, the operator is told, once a minute for each route.
 */
export function compareCost(lane: PricedLane, usage: Usage): void {
  const asked = usage.supplierCostNanoUsd;
  if (asked === undefined) return;
  const price = priceUsage(lane.price, usage);
  const now = Date.now();
  if (asked <= price || now - (said.get(lane.routeId) ?? 0) < SAY_AGAIN_MS) return;
  said.set(lane.routeId, now);
  log.warn(
    {
      supplier: lane.supplier.name,
      model: lane.model.id,
      upstreamModel: lane.upstreamModel,
      supplierCostUsd: formatUsd(asked),
      priceUsd: formatUsd(price),
    },
    "a supplier costs more than its price in the catalogue brings in",
  );
}
