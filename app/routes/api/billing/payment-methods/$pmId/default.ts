import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { makeDefault } from "~/domain/billing/index.server";
import { PaymentMethodId } from "~/domain/billing/shared";

const page = "/dashboard/billing";

const setDefault = portalEndpoint({
  allow: "viewer",
  params: z.object({ pmId: PaymentMethodId }),
  page,
  POST: async ({ actor, params }) => {
    await makeDefault(db(), actor, params.pmId);
    return done({ to: page, toast: "billing:cards.madeDefault" });
  },
});

export const loader = setDefault;
export const action = setDefault;
