import { parseCookie, stringifySetCookie } from "cookie";
import { config } from "~/config.server";

const isHttps = () => config().baseUrl.startsWith("https:");

/** The full name of a cookie of ours: on https one that no other host and no plain page can have set. */
const cookieName = (name: string): string => (isHttps() ? `__Host-${name}` : name);

/** The value of a cookie of ours in a request as it was set, or null. Of two with one name the first counts. */
export function readCookie(request: Request, name: string): string | null {
  return parseCookie(request.headers.get("cookie") ?? "", AS_IT_IS)[cookieName(name)] || null;
}

/** The names of the cookies of ours in a request. */
export function cookieNames(request: Request): string[] {
  const all = Object.keys(parseCookie(request.headers.get("cookie") ?? "", AS_IT_IS));
  const prefix = cookieName("");
  return all.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}

/**
 * The Set-Cookie header of a cookie of ours. Scripts cannot read it; it ends with the browser, or after `maxAgeSeconds`.
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

// Our values are sealed or made of letters and digits: nothing in them means something else.
const AS_IT_IS = { encode: (value: string) => value, decode: (value: string) => value };

/** The Set-Cookie header that removes a cookie of ours. */
export const clearCookie = (name: string): string => setCookie(name, "", { maxAgeSeconds: 0 });
