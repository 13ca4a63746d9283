import { priceUsage } from "~/domain/metering/index.server";
import { formatUsd } from "~/money";
import type { Usage } from "../canonical/usage";
import { warnOperator } from "../log/warn-operator";
import type { PricedLane } from "../route/plan";

/**
 * Compares what a supplier says its work has cost with the price that is charged for it. The price holds in any case; where the
 * supplier wants more than it brings in, the operator is told.
 */
export function compareCost(lane: PricedLane, usage: Usage): void {
  const asked = usage.supplierCostNanoUsd;
  if (asked === undefined) return;
  const price = priceUsage(lane.price, usage);
  if (asked <= price) return;
  warnOperator("a supplier costs more than its price in the catalogue brings in", lane, {
    supplierCostUsd: formatUsd(asked),
    priceUsd: formatUsd(price),
  });
}
