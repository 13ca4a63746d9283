import { requireRecentProof } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { authorOf } from "~/domain/accounts/shared";
import { setPrice } from "~/domain/catalogue/index.server";
import { PriceForm } from "./models/price-form.schema";
import { wantedOf } from "./models/price-values.server";
import { ADMIN_MODELS } from "./models/shared";

const TAB = `${ADMIN_MODELS}?tab=prices`;

/** Prices are shown on the models page. Sets a price, and creates the model and its route if they are missing. */
const prices = portalEndpoint({
  allow: "platform_admin",
  page: TAB,
  GET: () => new Response(null, { status: 303, headers: { location: TAB } }),
  POST: {
    body: PriceForm,
    run: async ({ actor, body, context }) => {
      requireRecentProof(context);
      const { isChanged } = await setPrice(db(), authorOf(actor), wantedOf(body));
      return done({ to: TAB, toast: isChanged ? "adminModels:done.priced" : "adminModels:done.samePrice" });
    },
  },
});

export const loader = prices;
export const action = prices;
