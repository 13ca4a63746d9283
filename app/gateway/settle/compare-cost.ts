import { priceUsage } from "~/domain/metering/index.server";
import { formatUsd } from "~/money";
import type { Usage } from "../canonical/usage";
import { warnOperator } from "../log/warn-operator";
import type { PricedRoute } from "../route/route-plan";

/**
 * Compares what a supplier says its work has cost with the price that is charged for it. The price holds in any case; where the
 * supplier wants more than it brings in, the operator is told.
 */
export function compareCost(route: PricedRoute, usage: Usage): void {
  const callContext = usage.supplierCostNanoUsd;
  if (callContext === undefined) return;
  const price = priceUsage(route.price, usage);
  if (callContext <= price) return;
  warnOperator("a supplier costs more than its price in the catalogue brings in", route, {
    supplierCostUsd: formatUsd(callContext),
    priceUsd: formatUsd(price),
  });
}
