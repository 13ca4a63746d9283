import type { AppError } from "~/errors/app-error";
import { apiError } from "~/errors/app-error";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Checks that a request that changes data comes from a page of this portal. Returns null, or the `csrf_rejected` to
 * respond with. `origin` returns the portal's own origin from the configuration and the resellers' domains, never from
 * a header of a proxy or client. Requests that do not authenticate by cookie (`/v1`, signed webhooks) must not use this
 * check.
 */
export async function crossOriginError(request: Request, origin: () => Promise<string>): Promise<AppError | null> {
  if (SAFE_METHODS.has(request.method)) return null;
  if (await isSameOrigin(request.headers, origin)) return null;
  return apiError("csrf_rejected", { key: "problems:csrfRejectedAt", values: { origin: await origin() } });
}

/**
 * Whether another site made a browser open a page: by a link, an image or a redirect. A typed URL, a bookmark and a
 * program have no origin.
 */
export async function isCrossOrigin(request: Request, origin: () => Promise<string>): Promise<boolean> {
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  // Browsers without Sec-Fetch-Site: use Origin or Referer, if present.
  const from = headers.get("origin") ?? headers.get("referer");
  return from !== null && originIn(from) !== (await origin());
}

const originIn = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null);

async function isSameOrigin(headers: Headers, origin: () => Promise<string>): Promise<boolean> {
  // Browsers set Sec-Fetch-Site themselves and pages cannot change it, so it decides alone.
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const from = headers.get("origin");
  return from !== null && from === (await origin());
}

// Payment processors sign their requests, which do not come from browsers.
const SIGNED_PATHS = new Set(["/api/billing/processor/webhook"]);

/**
 * Whether every request to a path authenticates itself without cookies, so that a browser's cookies cannot be abused.
 */
export function provesItself(pathname: string): boolean {
  return pathname === "/v1" || pathname.startsWith("/v1/") || SIGNED_PATHS.has(pathname);
}
