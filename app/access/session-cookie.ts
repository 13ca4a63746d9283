import { clearCookie, readCookie, setCookie } from "./cookies";

const SESSION_COOKIE = "gw_session";
// The maximum lifetime of a session; the database may end it earlier.
const MAX_SECONDS = 14 * 24 * 3600;

/** Returns the session token of a request, or null. */
export const sessionTokenOf = (request: Request): string | null => readCookie(request, SESSION_COOKIE);

/** Returns the Set-Cookie header that signs a browser in. */
export const sessionCookie = (token: string): string =>
  setCookie(SESSION_COOKIE, token, { maxAgeSeconds: MAX_SECONDS });

/** Returns the Set-Cookie header that removes a browser's session. */
export const noSessionCookie = (): string => clearCookie(SESSION_COOKIE);
