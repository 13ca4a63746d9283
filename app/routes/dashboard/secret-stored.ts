import { noSecretCookie } from "~/access/flash.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { cameFrom } from "~/access/safe-next";

/** Deletes the secret that pages have shown: the person has stored it. */
const stored = portalEndpoint({
  allow: "signed-in",
  page: "/dashboard",
  POST: ({ request }) => done({ to: cameFrom(request, "/dashboard"), cookies: [noSecretCookie()] }),
});

export const loader = stored;
export const action = stored;
