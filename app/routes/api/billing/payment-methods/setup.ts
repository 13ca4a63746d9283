import { portalEndpoint } from "~/access/portal/endpoint.server";
import { portalOf } from "~/access/portal-of.server";
import { wantsJson } from "~/access/wants-json";
import { db } from "~/connection/db.server";
import { idempotencyKeyOf, startCardSetup } from "~/domain/billing/index.server";

/** Saves a card on the processor's page, without a payment. Programs get its URL; browsers are redirected to it. */
const setup = portalEndpoint({
  allow: "viewer",
  page: "/dashboard/billing",
  POST: async ({ actor, request }) => {
    const { origin } = await portalOf(request);
    const { id, url } = await startCardSetup(db(), actor, { idempotencyKey: idempotencyKeyOf(request), origin });
    return wantsJson(request)
      ? { url, checkout_id: id }
      : new Response(null, { status: 303, headers: { location: url } });
  },
});

export const loader = setup;
export const action = setup;
