import { priceUsage } from "~/domain/pricing/index.server";
import { formatUsd } from "~/values/money";
import type { Usage } from "../canonical/usage";
import { warnOperator } from "../log/warn-operator";
import type { PricedRoute } from "../route/route-plan";

/**
 * Compares the cost that a supplier reports with the price that is charged. The price applies in any case; if the
 * supplier costs more, the operator gets a warning.
 */
export function compareCost(route: PricedRoute, usage: Usage): void {
  const { supplierCostNanoUsd } = usage;
  if (supplierCostNanoUsd === undefined) return;
  const price = priceUsage(route.price, usage);
  if (supplierCostNanoUsd <= price) return;
  warnOperator("a supplier costs more than its price in the catalogue brings in", route, {
    supplierCostUsd: formatUsd(supplierCostNanoUsd),
    priceUsd: formatUsd(price),
  });
}
