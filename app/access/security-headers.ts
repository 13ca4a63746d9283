const TWO_YEARS_SECONDS = 63_072_000;

/** Sets the security headers of a portal response. `https`: also tells browsers to use only https from now on. */
export function setSecurityHeaders(headers: Headers, { https }: { https: boolean }): void {
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "same-origin");
  headers.set("cross-origin-opener-policy", "same-origin");
  if (https) headers.set("strict-transport-security", `max-age=${TWO_YEARS_SECONDS}; includeSubDomains`);
  if (!headers.has("content-security-policy")) {
    headers.set("content-security-policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'");
  }
}

/**
 * Returns the content security policy of a page: scripts only with its nonce, no inline code, no embedding in frames.
 * `checkout`: origin of the payment pages that a form may redirect to.
 */
export function pagePolicy(nonce: string, checkout: string | null = null): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    checkout === null ? "form-action 'self'" : `form-action 'self' ${checkout}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
