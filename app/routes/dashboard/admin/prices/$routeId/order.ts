import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { authorOf } from "~/domain/accounts/shared";
import { setOrder } from "~/domain/catalogue/index.server";
import { Id } from "~/http/body/fields";
import { OrderForm } from "../../models/order-form.schema";
import { ADMIN_MODELS } from "../../models/shared";

const TAB = `${ADMIN_MODELS}?tab=prices`;

/** Sets the order in which a supplier is tried for a model. */
const order = portalEndpoint({
  params: z.object({ routeId: Id }),
  allow: "platform_admin",
  page: TAB,
  POST: {
    body: OrderForm,
    run: async ({ actor, params, body, context }) => {
      requireRecentProof(context);
      await setOrder(db(), authorOf(actor), params.routeId, body);
      return done({ to: TAB, toast: "adminModels:done.ordered" });
    },
  },
});

export const loader = order;
export const action = order;
