import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { authorOf } from "~/domain/accounts/shared";
import { deleteSupplier } from "~/domain/catalogue/index.server";
import { Id } from "~/http/body/fields";
import { ADMIN_MODELS } from "../../models/shared";
import { DeleteSupplierForm } from "../../models/supplier-form.schema";

/** Deletes a supplier together with its key. */
const remove = portalEndpoint({
  params: z.object({ providerId: Id }),
  allow: "platform_admin",
  page: ADMIN_MODELS,
  POST: {
    body: DeleteSupplierForm,
    run: async ({ actor, params, body, context }) => {
      requireRecentProof(context);
      await deleteSupplier(db(), authorOf(actor), params.providerId, body.confirm);
      return done({ to: ADMIN_MODELS, toast: "adminModels:done.deleted" });
    },
  },
});

export const loader = remove;
export const action = remove;
