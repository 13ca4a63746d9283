import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { deletePaymentMethod } from "~/domain/billing/index.server";
import { PaymentMethodId } from "~/domain/billing/shared";

const page = "/dashboard/billing";

const remove = portalEndpoint({
  allow: "viewer",
  params: z.object({ pmId: PaymentMethodId }),
  page,
  DELETE: async ({ actor, params }) => {
    await deletePaymentMethod(db(), actor, params.pmId);
    return done({ to: page, toast: "billing:cards.removed" });
  },
});

export const loader = remove;
export const action = remove;
