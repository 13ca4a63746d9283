import type { AppError } from "~/errors/app-error";
import { apiError } from "~/errors/app-error";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Decides whether a request that changes something comes from a page of this portal. Null: it may go on; else the
 * `csrf_rejected` to answer with. `origin` tells the portal's own, from the configuration and the resellers' domains: never
 * what a header says that a proxy or a client writes. Requests without a cookie's authority (`/v1`, signed webhooks) are not for this check.
 */
export async function crossOriginError(request: Request, origin: () => Promise<string>): Promise<AppError | null> {
  if (SAFE_METHODS.has(request.method)) return null;
  if (await isSameOrigin(request.headers, origin)) return null;
  return apiError("csrf_rejected", { key: "problems:csrfRejectedAt", values: { origin: await origin() } });
}

/**
 * Whether another site has had a browser open a page: by a link, an image or a redirect. What is typed in, a bookmark and a
 * program come from nowhere.
 */
export async function comesFromElsewhere(request: Request, origin: () => Promise<string>): Promise<boolean> {
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  // Browsers that do not say it: by the page that they come from, where they tell one.
  const from = headers.get("origin") ?? headers.get("referer");
  return from !== null && originIn(from) !== (await origin());
}

const originIn = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null);

async function isSameOrigin(headers: Headers, origin: () => Promise<string>): Promise<boolean> {
  // Browsers write Sec-Fetch-Site themselves and no page can change it, so its word is final.
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const from = headers.get("origin");
  return from !== null && from === (await origin());
}

// Processors sign what they send; nothing about them comes from a browser.
const SIGNED_PATHS = new Set(["/api/billing/processor/webhook"]);

/** Whether a URL's callers prove themselves on every request, so that a browser's cookies cannot be abused there. */
export function provesItself(pathname: string): boolean {
  return pathname === "/v1" || pathname.startsWith("/v1/") || SIGNED_PATHS.has(pathname);
}
