import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { authorOf } from "~/domain/accounts/shared";
import { createSupplier } from "~/domain/catalogue/index.server";
import { ADMIN_MODELS } from "./models/shared";
import { NewSupplierForm } from "./models/supplier-form.schema";

/** Adds a supplier. */
const create = portalEndpoint({
  allow: "platform_admin",
  page: ADMIN_MODELS,
  POST: {
    body: NewSupplierForm,
    run: async ({ actor, body, context }) => {
      requireRecentProof(context);
      const { name, kind, base_url: baseUrl, region, api_key, headers, query, key_header } = body;
      const extras = { headers, query, keyHeader: key_header ?? null };
      const supplier = { name, kind, baseUrl, region, apiKey: api_key ?? null, extras };
      const id = await createSupplier(db(), authorOf(actor), supplier);
      return done({ to: ADMIN_MODELS, toast: "adminModels:done.created", answer: { provider_id: id } });
    },
  },
});

export const loader = create;
export const action = create;
