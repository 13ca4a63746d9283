import { missingEndpoint } from "~/http/server/missing-endpoint";
import { pathOf } from "~/http/server/request-target";

/** Every path under /v1 without a route, for any method: an error envelope instead of a page. */
export const loader = answer;
export const action = answer;

/** A base URL that ends in /v1, used by a library that adds /v1 itself. */
const TWICE = /^\/v1\/v1(?:\/|$)/;

function answer({ request }: { request: Request }): Response {
  const isTwice = TWICE.test(pathOf(request.url));
  return missingEndpoint(request, isTwice ? "Leave /v1 out of the base URL: your client adds it." : undefined);
}
