// Own code on purpose: Hono's cors middleware decides before a key is known; here the key of the request decides.
const SITE = Symbol("site");
type Shared = Request & { [SITE]?: string };

const METHODS = "GET, POST, DELETE";

/** How long a browser may remember the answer to a preflight. */
const PREFLIGHT_SECONDS = 600;

/** The site whose page a browser sends a request for; null for every other client. */
export const siteOf = (request: Request): string | null => request.headers.get("origin");

/** Lets pages of a site read the answer to a request. */
export function shareWith(request: Request, site: string): void {
  (request as Shared)[SITE] = site;
}

/** The headers that let pages of the site that its key allows read an answer; null where none is allowed. */
export function sharedHeaders(request: Request): Record<string, string> | null {
  const site = (request as Shared)[SITE];
  if (site === undefined) return null;
  return { "access-control-allow-origin": site, "access-control-expose-headers": "*", vary: "Origin" };
}

/** The answer with these headers. */
export function sharedAnswer(request: Request, response: Response): Response {
  for (const [name, value] of Object.entries(sharedHeaders(request) ?? {})) response.headers.append(name, value);
  return response;
}

/**
 * The answer to a browser that asks whether a page may send a request; null for what is no such question. Every site may ask:
 * browsers ask without the key, and the answer, which is the same for all, tells nobody which sites a key allows.
 */
export function preflightAnswer(request: Request): Response | null {
  const { headers } = request;
  const [site, asked] = [siteOf(request), headers.get("access-control-request-headers")];
  if (request.method !== "OPTIONS" || site === null || !headers.has("access-control-request-method")) return null;
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": site,
      "access-control-allow-methods": METHODS,
      // SDKs send headers of their own; `*` would leave Authorization out.
      ...(asked === null ? {} : { "access-control-allow-headers": asked }),
      "access-control-max-age": String(PREFLIGHT_SECONDS),
      vary: "Origin, Access-Control-Request-Headers",
    },
  });
}
