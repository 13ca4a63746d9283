// Own code on purpose: Hono's cors middleware decides before the key is known; here the request's key decides.
const SITE = Symbol("site");
type Shared = Request & { [SITE]?: string };

const METHODS = "GET, POST, DELETE";

/** How long a browser may cache a preflight response. */
const PREFLIGHT_SECONDS = 600;

/** Returns the origin of the page that sent a request from a browser; null for every other client. */
export const siteOf = (request: Request): string | null => request.headers.get("origin");

/** Lets pages of a site read the response to a request. */
export function shareWith(request: Request, site: string): void {
  (request as Shared)[SITE] = site;
}

/** Returns the headers that let pages of the allowed site read a response; null where the key allows no site. */
export function sharedHeaders(request: Request): Record<string, string> | null {
  const site = (request as Shared)[SITE];
  if (site === undefined) return null;
  return { "access-control-allow-origin": site, "access-control-expose-headers": "*", vary: "Origin" };
}

/** Adds these headers to a response. */
export function sharedAnswer(request: Request, response: Response): Response {
  for (const [name, value] of Object.entries(sharedHeaders(request) ?? {})) response.headers.append(name, value);
  return response;
}

/**
 * Returns the response to a CORS preflight; null for every other request. Allows every site, because browsers send
 * preflights without the key. The response is the same for all, so it does not reveal which sites a key allows.
 */
export function preflightAnswer(request: Request): Response | null {
  const { headers } = request;
  const [site, requestedHeaders] = [siteOf(request), headers.get("access-control-request-headers")];
  if (request.method !== "OPTIONS" || site === null || !headers.has("access-control-request-method")) return null;
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": site,
      "access-control-allow-methods": METHODS,
      // SDKs send headers of their own; `*` would not include Authorization.
      ...(requestedHeaders === null ? {} : { "access-control-allow-headers": requestedHeaders }),
      "access-control-max-age": String(PREFLIGHT_SECONDS),
      vary: "Origin, Access-Control-Request-Headers",
    },
  });
}
