import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { portalOf } from "~/access/portal-of.server";
import { isCrossOrigin } from "~/access/same-origin";
import { noSessionCookie, sessionTokenOf } from "~/access/session-cookie";
import { db } from "~/connection/db.server";
import { endSession } from "~/domain/accounts/index.server";

/**
 * Ends the session of this browser. A HEAD request ends nothing, and a link or image on another site only leads to a
 * confirmation page.
 */
const signOut = async ({ request }: { request: Request }) => {
  if (request.method === "HEAD") return done({ to: "/login" });
  if (await isCrossOrigin(request, async () => (await portalOf(request)).origin))
    return done({ to: "/account/sign-out" });
  const token = sessionTokenOf(request);
  if (token !== null) await endSession(db(), token);
  return done({ to: "/login", cookies: [noSessionCookie()] });
};

const endpoint = portalEndpoint({ allow: "anyone", GET: signOut, POST: signOut });
export const loader = endpoint;
export const action = endpoint;
