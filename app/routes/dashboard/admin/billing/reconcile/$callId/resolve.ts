import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { type ReviewDecision, resolveReview } from "~/domain/billing/index.server";
import { formatUsd } from "~/values/money";
import { ReviewForm } from "./review-form.schema";

const page = "/dashboard/admin/billing/reconcile";

/** Ends the review of a call: charges the checkpoint, a chosen amount, or nothing. */
const resolve = portalEndpoint({
  params: z.object({ callId: z.uuid() }),
  allow: "platform_admin",
  page,
  POST: {
    body: ReviewForm,
    run: async ({ actor, params, body, context }) => {
      requireRecentProof(context);
      const { resolution, amount, reason } = body;
      const decision: ReviewDecision =
        resolution === "charge" ? { kind: "charge", costNanoUsd: amount ?? 0n } : { kind: resolution };
      const charged = await resolveReview(db(), actor, { callId: params.callId, decision, reason });
      const toast = charged === 0n ? "reconcile:released" : "reconcile:charged";
      return done({ to: page, toast, answer: { charged: formatUsd(charged) } });
    },
  },
});

export const loader = resolve;
export const action = resolve;
