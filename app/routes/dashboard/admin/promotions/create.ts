import { randomUUID } from "node:crypto";
import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { createPromotion } from "~/domain/promotions/index.server";
import { NewPromotionForm } from "./promotion-form.schema";

/** Creates a promotion, with a generated code if it is for a code. */
const create = portalEndpoint({
  allow: "platform_admin",
  page: "/dashboard/admin/promotions",
  POST: {
    body: NewPromotionForm,
    run: async ({ actor, body, context }) => {
      requireRecentProof(context);
      const { name, amount: amountNanoUsd, audience, recipient_id: recipientId, expires_at } = body;
      const { id, code } = await createPromotion(db(), actor, {
        name,
        amountNanoUsd,
        audience,
        recipientId,
        limitPerPayer: body.limit_per_payer,
        limitTotal: body.limit_total,
        expiresAt: expires_at === null ? null : new Date(expires_at),
        requestId: body.request_id ?? randomUUID(),
      });
      return done({
        to: `/dashboard/admin/promotions/${id}`,
        toast: "promotions:created",
        answer: { grant_id: id, code },
      });
    },
  },
});

export const loader = create;
export const action = create;
