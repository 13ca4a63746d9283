import { portalEndpoint } from "~/access/portal/endpoint.server";
import { ADMIN_MODELS } from "./models/shared";

/** Prices stand on the page of models. */
const prices = portalEndpoint({
  allow: "platform_admin",
  page: ADMIN_MODELS,
  GET: () => new Response(null, { status: 303, headers: { location: `${ADMIN_MODELS}?tab=prices` } }),
});

export const loader = prices;
export const action = prices;
