import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { authorOf } from "~/domain/accounts/shared";
import { updateSupplier } from "~/domain/catalogue/index.server";
import { Id } from "~/http/body/fields";
import { ADMIN_MODELS } from "../../models/shared";
import { SupplierChangeForm } from "../../models/supplier-form.schema";

/** Changes a supplier, replaces its key, or drains it. */
const update = portalEndpoint({
  params: z.object({ providerId: Id }),
  allow: "platform_admin",
  page: ADMIN_MODELS,
  POST: {
    body: SupplierChangeForm,
    run: async ({ actor, params, body, context }) => {
      requireRecentProof(context);
      const { base_url: baseUrl, api_key: apiKey, kind, region, draining } = body;
      await updateSupplier(db(), authorOf(actor), params.providerId, { baseUrl, apiKey, kind, region, draining });
      return done({ to: ADMIN_MODELS, toast: "adminModels:done.updated" });
    },
  },
});

export const loader = update;
export const action = update;
