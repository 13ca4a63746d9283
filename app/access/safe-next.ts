const MAX_LENGTH = 2_000;
// Any host will do: only what stays on it is taken.
const HERE = "https://portal.invalid";

/**
 * A page of this portal to go on to, from a value that anybody may have written; `fallback` for whatever is not a plain
 * path on this host. Nothing that a browser could read as another host, scheme or line gets through.
 */
export function safeNext(asked: unknown, fallback: string): string {
  if (typeof asked !== "string" || asked.length > MAX_LENGTH) return fallback;
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(asked)) return fallback;
  const url = URL.canParse(asked, HERE) ? new URL(asked, HERE) : null;
  if (url === null || url.origin !== HERE || url.pathname.startsWith("//")) return fallback;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The page of this portal that a request came from, by its Referer; `fallback` without one of ours. */
export function cameFrom(request: Request, fallback: string): string {
  const referer = request.headers.get("referer");
  if (referer === null || !URL.canParse(referer)) return fallback;
  const { host, pathname, search } = new URL(referer);
  const own = request.headers.get("host") ?? new URL(request.url).host;
  return host === own ? safeNext(pathname + search, fallback) : fallback;
}
