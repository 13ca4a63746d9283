import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { listPaymentMethods } from "~/domain/billing/index.server";

/** The caller's saved cards. */
const paymentMethods = portalEndpoint({
  allow: "viewer",
  GET: async ({ actor }) => {
    const cards = await listPaymentMethods(db(), actor);
    return {
      data: cards.map(({ id, brand, last4, expMonth, expYear, expired, isDefault }) => ({
        id,
        brand,
        last4,
        exp_month: expMonth,
        exp_year: expYear,
        expired,
        default: isDefault,
      })),
    };
  },
});

export const loader = paymentMethods;
export const action = paymentMethods;
