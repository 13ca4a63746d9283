import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { updatePromotion } from "~/domain/promotions/index.server";
import { Id } from "~/http/body/fields";
import { PromotionChangeForm } from "../promotion-form.schema";

/** Changes the terms of a promotion for future grants, or ends it. */
const update = portalEndpoint({
  params: z.object({ grantId: Id }),
  allow: "platform_admin",
  page: "/dashboard/admin/promotions",
  POST: {
    body: PromotionChangeForm,
    run: async ({ actor, params, body, context }) => {
      requireRecentProof(context);
      const { name, amount, limit_per_payer, limit_total, expires_at, ended } = body;
      await updatePromotion(db(), actor, params.grantId, {
        ...(name !== undefined && { name }),
        ...(amount !== undefined && { amountNanoUsd: amount }),
        ...(limit_per_payer !== undefined && { limitPerPayer: limit_per_payer }),
        ...(limit_total !== undefined && { limitTotal: limit_total }),
        ...(expires_at !== undefined && { expiresAt: expires_at === null ? null : new Date(expires_at) }),
        ...(ended !== undefined && { ended }),
      });
      const toast = ended === undefined ? "promotions:saved" : ended ? "promotions:ended" : "promotions:resumed";
      return done({ to: `/dashboard/admin/promotions/${params.grantId}`, toast });
    },
  },
});

export const loader = update;
export const action = update;
