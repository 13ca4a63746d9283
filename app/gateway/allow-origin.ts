import type { Caller } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";
import { shareWith, siteOf } from "~/http/cross-origin";

/**
 * Lets a page in a browser read the answer where its site is among the origins of the key. A key without any takes requests of
 * every client, and no page reads what it is answered.
 * @throws AppError origin_not_allowed where the key names origins and the request comes from another one.
 */
export function allowOrigin(request: Request, { allowedOrigins = [] }: Caller): void {
  if (allowedOrigins.length === 0) return;
  const site = siteOf(request);
  if (site === null) return;
  if (!allowedOrigins.includes(site)) throw apiError("origin_not_allowed");
  shareWith(request, site);
}
