import { config } from "~/config.server";

const isHttps = () => config().baseUrl.startsWith("https:");

/** The full name of a cookie of ours: on https one that no other host and no plain page can have set. */
export const cookieName = (name: string): string => (isHttps() ? `__Host-${name}` : name);

/** The value of a cookie of ours in a request, or null. */
export function readCookie(request: Request, name: string): string | null {
  const wanted = `${cookieName(name)}=`;
  for (const part of (request.headers.get("cookie") ?? "").split(";")) {
    const pair = part.trim();
    if (pair.startsWith(wanted)) return pair.slice(wanted.length) || null;
  }
  return null;
}

/** The Set-Cookie header of a cookie of ours. Scripts cannot read it; it ends with the browser, or after `maxAgeSeconds`. */
export function setCookie(name: string, value: string, { maxAgeSeconds }: { maxAgeSeconds?: number } = {}): string {
  const age = maxAgeSeconds === undefined ? "" : `; Max-Age=${maxAgeSeconds}`;
  return `${cookieName(name)}=${value}; Path=/; HttpOnly; SameSite=Lax${isHttps() ? "; Secure" : ""}${age}`;
}

/** The Set-Cookie header that removes a cookie of ours. */
export const clearCookie = (name: string): string => setCookie(name, "", { maxAgeSeconds: 0 });
