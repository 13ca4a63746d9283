import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { setBillingExempt } from "~/domain/people/index.server";
import { UserParams } from "../../fields";
import { BillingExemptForm } from "./person-form.schema";

const billingExempt = portalEndpoint({
  params: UserParams,
  allow: "platform_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: BillingExemptForm,
    run: async ({ actor, params, body, context }) => {
      requireRecentProof(context);
      const exempt = await setBillingExempt(db(), actor, params.userId, body.billing_exempt);
      return done({
        to: `/dashboard/admin/users/${params.userId}`,
        toast: "admin:done.billingExempt",
        answer: { billing_exempt: exempt },
      });
    },
  },
});

export const loader = billingExempt;
export const action = billingExempt;
