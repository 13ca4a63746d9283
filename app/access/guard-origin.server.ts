import type { MiddlewareFunction } from "react-router";
import { config } from "~/config.server";
import type { AppError } from "~/errors/app-error";
import { portalErrorResponse } from "~/errors/envelope";
import { foreignOriginPage, showsPages } from "./foreign-origin-page.server";
import { portalOf } from "./portal-of.server";
import { crossOriginError, provesItself } from "./same-origin";
import { setSecurityHeaders } from "./security-headers";
import { wantsJson } from "./wants-json";

/**
 * The outermost middleware of the portal: rejects requests from other sites that change data, and adds the security
 * headers to every response. Pages get their stricter policy when the document is rendered.
 */
export const guardOrigin: MiddlewareFunction<Response> = async ({ request }, next) => {
  const { protocol } = new URL(config().baseUrl);
  const exempt = provesItself(new URL(request.url).pathname);
  const error = exempt ? null : await crossOriginError(request, async () => (await portalOf(request)).origin);
  const response = error ? await answerTo(error, request) : await next();
  setSecurityHeaders(response.headers, { https: protocol === "https:" });
  return response;
};

const answerTo = async (error: AppError, request: Request): Promise<Response> =>
  showsPages(request) && !wantsJson(request)
    ? foreignOriginPage(request, (await portalOf(request)).origin)
    : portalErrorResponse(error);
