import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { noSessionCookie, sessionTokenOf } from "~/access/session-cookie";
import { db } from "~/db.server";
import { endSession } from "~/domain/identity/index.server";

/** Ends the session of this browser and goes to the start page. Asking for the headers alone ends nothing. */
const signOut = async ({ request }: { request: Request }) => {
  if (request.method === "HEAD") return done({ to: "/login" });
  const token = sessionTokenOf(request);
  if (token !== null) await endSession(db(), token);
  return done({ to: "/login", cookies: [noSessionCookie()] });
};

const endpoint = portalEndpoint({ allow: "anyone", GET: signOut, POST: signOut });
export const loader = endpoint;
export const action = endpoint;
