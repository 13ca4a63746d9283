import type { RouteConfigEntry } from "@react-router/dev/routes";
import { endpoint } from "../table";

/** Data for the portal's own pages, and the webhook of the payment processor. */
export const apiRoutes: RouteConfigEntry[] = [
  endpoint("api/legal/accept"),
  endpoint("api/legal/status"),
  endpoint("api/admin/token-logs"),
  endpoint("api/admin/conversations/:convId"),
  endpoint("api/billing/checkout"),
  endpoint("api/billing/checkout-status"),
  endpoint("api/billing/processor-config"),
  endpoint("api/billing/processor/webhook"),
  endpoint("api/billing/payment-methods"),
  endpoint("api/billing/payment-methods/setup"),
  endpoint("api/billing/payment-methods/:pmId"),
  endpoint("api/billing/payment-methods/:pmId/default"),
  endpoint("api/billing/payments"),
  endpoint("api/billing/auto-topup"),
  endpoint("api/billing/auto-topup/operations/:operationId"),
  endpoint("api/billing/add-funds"),
  endpoint("api/billing/payment-method"),
  endpoint("api/billing/payment-method/:pmId"),
  endpoint("api/billing/payment-method/:pmId/default"),
  endpoint("api/billing/link-partner"),
  endpoint("api/billing/unlink-partner"),
];
