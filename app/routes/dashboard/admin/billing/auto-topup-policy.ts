import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { decideAutoTopupPolicy } from "~/domain/billing/index.server";
import { AutoTopupPolicyForm } from "./auto-topup-policy.schema";

const PAGE = "/dashboard/admin/billing";

/** Approves auto top-up within bounds, or withdraws the approval. */
const policy = portalEndpoint({
  allow: "platform_admin",
  page: PAGE,
  POST: {
    body: AutoTopupPolicyForm,
    run: async ({ actor, body, context }) => {
      requireRecentProof(context);
      const { version: seen, approved, max_charge, max_day, max_month } = body;
      const version = await decideAutoTopupPolicy(db(), actor, {
        version: seen,
        approved,
        maxChargeNanoUsd: max_charge,
        maxDayNanoUsd: max_day,
        maxMonthNanoUsd: max_month,
      });
      return done({ to: PAGE, toast: "autoTopup:admin.saved", answer: { version, approved } });
    },
  },
});

export const loader = policy;
export const action = policy;
