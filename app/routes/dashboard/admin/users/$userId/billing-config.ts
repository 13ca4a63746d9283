import type { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { type BillingConfig, setBillingConfig } from "~/domain/people/index.server";
import { UserParams } from "../../fields";
import { BillingConfigForm } from "./person-form.schema";

const billingConfig = portalEndpoint({
  params: UserParams,
  allow: "org_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: BillingConfigForm,
    run: async ({ actor, params, body, context }) => {
      const config = configOf(body);
      // A wallet of their own may include credit, so it requires a recent proof of identity.
      if (config.mode === "own" || (config.credit !== undefined && config.credit.limitNanoUsd > 0n))
        requireRecentProof(context);
      await setBillingConfig(db(), actor, params.userId, config);
      const to = `/dashboard/admin/users/${params.userId}`;
      return done({ to, toast: "admin:done.billingConfig", answer: { billing_mode: config.mode } });
    },
  },
});

/**
 * Programs send one limit: the credit limit for people who pay for themselves, otherwise the budget. The page's form
 * sends both.
 */
function configOf({ billing_mode: mode, ...limits }: z.infer<typeof BillingConfigForm>): BillingConfig {
  const { spending_limit: limitNanoUsd, period, credit_limit: creditNanoUsd } = limits;
  const budget = { limitNanoUsd, period };
  if (creditNanoUsd !== undefined) {
    return { mode, budget, credit: { limitNanoUsd: creditNanoUsd, param: "credit_limit" } };
  }
  if (mode === "inherit") return { mode, budget };
  return { mode, credit: { limitNanoUsd: limitNanoUsd ?? 0n, param: "spending_limit" } };
}

export const loader = billingConfig;
export const action = billingConfig;
