import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/db.server";
import { BUDGET_PERIODS } from "~/domain/accounting/shared";
import { BILLING_MODES, setBillingConfig } from "~/domain/identity/index.server";
import { OptionalUsd } from "~/http/fields";
import { UserParams } from "../../fields";

const Body = z.strictObject({
  billing_mode: z.enum(BILLING_MODES),
  /** For `inherit` the person's budget, for `own` the credit of their wallet; empty: none. */
  spending_limit: OptionalUsd,
  period: z.enum(BUDGET_PERIODS).default("monthly"),
});

const billingConfig = portalEndpoint({
  params: UserParams,
  allow: "org_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: Body,
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
