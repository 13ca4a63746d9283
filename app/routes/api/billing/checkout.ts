import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { portalOf } from "~/access/portal-of.server";
import { wantsJson } from "~/access/wants-json";
import { db } from "~/connection/db.server";
import { fundingBoundsBroken, idempotencyKeyOf, startCheckout } from "~/domain/billing/index.server";
import { issue } from "~/errors/message";
import { Usd } from "~/http/body/fields";

const Amount = Usd.superRefine((amount, context) => {
  const bounds = fundingBoundsBroken(amount);
  if (bounds !== null) context.addIssue({ code: "custom", message: issue("problems:fundingAmount", bounds) });
});

/**
 * Starts a payment for the caller's wallet. Programs get the URL of the processor's page; browsers are redirected to
 * it.
 */
const checkout = portalEndpoint({
  allow: "viewer",
  page: "/dashboard/billing/fund",
  POST: {
    body: z.object({ amount: Amount }),
    run: async ({ actor, body: { amount }, request }) => {
      const { origin } = await portalOf(request);
      const details = { amountNanoUsd: amount, idempotencyKey: idempotencyKeyOf(request), origin };
      const { id, url } = await startCheckout(db(), actor, details);
      return wantsJson(request)
        ? { url, checkout_id: id }
        : new Response(null, { status: 303, headers: { location: url } });
    },
  },
});

export const loader = checkout;
export const action = checkout;
