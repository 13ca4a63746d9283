import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readCheckoutStatus } from "~/domain/billing/index.server";
import { isCheckoutOver } from "~/domain/billing/shared";

/** State of one of the caller's checkouts, from gw's records. */
const status = portalEndpoint({
  allow: "viewer",
  query: z.object({ checkout_id: z.uuid() }),
  GET: async ({ actor, query: { checkout_id: id } }) => {
    const checkoutStatus = await readCheckoutStatus(db(), actor, id);
    const { kind, state, confirmed } = checkoutStatus;
    return {
      kind,
      state,
      confirmed,
      final: isCheckoutOver(checkoutStatus),
      ...(checkoutStatus.kind === "payment"
        ? { amount: checkoutStatus.creditNanoUsd }
        : { payment_method: checkoutStatus.paymentMethodId }),
    };
  },
});

export const loader = status;
export const action = status;
