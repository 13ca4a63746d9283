import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/db.server";
import { setBillingConfig } from "~/domain/identity/index.server";
import { UserParams } from "../../fields";
import { BillingConfigForm } from "./person-form.schema";

const billingConfig = portalEndpoint({
  params: UserParams,
  allow: "org_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: BillingConfigForm,
    run: async ({ actor, params, body, context }) => {
      const { billing_mode: mode, spending_limit: limitNanoUsd, period } = body;
      // For a wallet of their own the limit is credit.
      if (mode === "own") requireRecentProof(context);
      await setBillingConfig(db(), actor, params.userId, { mode, limitNanoUsd, period });
      const to = `/dashboard/admin/users/${params.userId}`;
      return done({ to, toast: "admin:done.billingConfig", answer: { billing_mode: mode } });
    },
  },
});

export const loader = billingConfig;
export const action = billingConfig;
