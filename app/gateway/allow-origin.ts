import type { Caller } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";
import { shareWith, siteOf } from "~/http/cross-origin";

/**
 * Checks the request's browser origin against the key's allowed origins and lets a page of an allowed origin read the
 * answer (CORS). A key without allowed origins accepts requests from every client, but no browser page can read its
 * answers.
 * @throws AppError origin_not_allowed if the key has allowed origins and the request comes from another one.
 */
export function allowOrigin(request: Request, { allowedOrigins = [] }: Caller): void {
  if (allowedOrigins.length === 0) return;
  const site = siteOf(request);
  if (site === null) return;
  if (!allowedOrigins.includes(site)) throw apiError("origin_not_allowed");
  shareWith(request, site);
}
