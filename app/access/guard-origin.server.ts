import type { MiddlewareFunction } from "react-router";
import { config } from "~/config.server";
import { portalErrorResponse } from "~/errors/envelope";
import { portalOf } from "./portal-of.server";
import { crossOriginError, provesItself } from "./same-origin";
import { setSecurityHeaders } from "./security-headers";
import { wantsJson } from "./wants-json";

/**
 * The outermost middleware of the portal: nothing that changes something runs for another site's page, and every answer
 * carries the security headers. Pages get their stricter policy where the document is written.
 */
export const guardOrigin: MiddlewareFunction<Response> = async ({ request }, next) => {
  const { protocol } = new URL(config().baseUrl);
  const exempt = provesItself(new URL(request.url).pathname);
  const problem = exempt ? null : await crossOriginError(request, async () => (await portalOf(request)).origin);
  const response = problem ? portalErrorResponse(problem) : await next();
  setSecurityHeaders(response.headers, { https: protocol === "https:" });
  // Thrown, so that a browser's form gets the error page; a URL that answers data sends the body as it is.
  if (problem && !wantsJson(request)) throw response;
  return response;
};
