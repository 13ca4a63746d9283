import { parseCookie, stringifySetCookie } from "cookie";
import { config } from "~/config.server";

const isHttps = () => config().baseUrl.startsWith("https:");

/**
 * Returns the full name of a cookie of gw; on https with a prefix that prevents other hosts and http pages from setting
 * it.
 */
const cookieName = (name: string): string => (isHttps() ? `__Host-${name}` : name);

/** Returns the value of a cookie of gw in a request, or null. Of two cookies with one name, the first is used. */
export function readCookie(request: Request, name: string): string | null {
  return parseCookie(request.headers.get("cookie") ?? "", AS_IT_IS)[cookieName(name)] || null;
}

/** Returns the names of gw's cookies in a request. */
export function cookieNames(request: Request): string[] {
  const all = Object.keys(parseCookie(request.headers.get("cookie") ?? "", AS_IT_IS));
  const prefix = cookieName("");
  return all.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}

/**
 * Returns the Set-Cookie header of a cookie of gw. Scripts cannot read it; it expires with the browser session, or
 * after `maxAgeSeconds`.
 * @throws TypeError for a value that would have to be escaped.
 */
export function setCookie(name: string, value: string, { maxAgeSeconds }: { maxAgeSeconds?: number } = {}): string {
  return stringifySetCookie(
    {
      name: cookieName(name),
      value,
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      secure: isHttps(),
      maxAge: maxAgeSeconds,
    },
    AS_IT_IS,
  );
}

// Values are sealed or consist of letters and digits, so they need no escaping.
const AS_IT_IS = { encode: (value: string) => value, decode: (value: string) => value };

/** Returns the Set-Cookie header that removes a cookie of gw. */
export const clearCookie = (name: string): string => setCookie(name, "", { maxAgeSeconds: 0 });
