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
    const found = await readCheckoutStatus(db(), actor, id);
    const { kind, state, confirmed } = found;
    return {
      kind,
      state,
      confirmed,
      final: isCheckoutOver(found),
      ...(found.kind === "payment" ? { amount: found.creditNanoUsd } : { payment_method: found.paymentMethodId }),
    };
  },
});

export const loader = status;
export const action = status;
