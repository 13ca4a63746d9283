const MAX_LENGTH = 2_000;
// An arbitrary host; only paths that stay on it are accepted.
const HERE = "https://portal.invalid";

/**
 * Returns a redirect target on this portal from an untrusted value; `fallback` for anything but a plain path on this
 * host. Rejects everything that a browser could read as another host, another scheme or a line break.
 */
export function safeNext(requested: unknown, fallback: string): string {
  if (typeof requested !== "string" || requested.length > MAX_LENGTH) return fallback;
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(requested)) return fallback;
  const url = URL.canParse(requested, HERE) ? new URL(requested, HERE) : null;
  if (url === null || url.origin !== HERE || url.pathname.startsWith("//")) return fallback;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Returns the page of this portal in a request's Referer; `fallback` without one of this portal. */
export function cameFrom(request: Request, fallback: string): string {
  const referer = request.headers.get("referer");
  if (referer === null || !URL.canParse(referer)) return fallback;
  const { host, pathname, search } = new URL(referer);
  const own = request.headers.get("host") ?? new URL(request.url).host;
  return host === own ? safeNext(pathname + search, fallback) : fallback;
}
