import { clearCookie, readCookie, setCookie } from "./cookies";

const SESSION_COOKIE = "gw_session";
// The database ends a session earlier; the browser need not keep the cookie longer than the longest one.
const MAX_SECONDS = 14 * 24 * 3600;

/** The token of the session that a request belongs to, or null. */
export const sessionTokenOf = (request: Request): string | null => readCookie(request, SESSION_COOKIE);

/** The Set-Cookie header that signs a browser in. */
export const sessionCookie = (token: string): string =>
  setCookie(SESSION_COOKIE, token, { maxAgeSeconds: MAX_SECONDS });

/** The Set-Cookie header that makes a browser forget its session. */
export const noSessionCookie = (): string => clearCookie(SESSION_COOKIE);
