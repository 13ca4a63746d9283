import type { RouterContextProvider } from "react-router";
import { personOf } from "~/access/actor.server";
import { portalOf } from "~/access/portal-of.server";
import { config } from "~/config.server";

type Here = { request: Request; context: Readonly<RouterContextProvider> };

/** Brand and contact of the portal, and whether this browser is signed in. */
export async function closedView({ request, context }: Here) {
  const portal = await portalOf(request);
  return {
    brand: portal.brand,
    contact: portal.supportEmail ?? config().operator.email,
    signedIn: personOf(context) !== null,
  };
}
