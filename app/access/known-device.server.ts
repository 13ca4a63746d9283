import { markDevice } from "~/domain/accounts/index.server";
import { readCookie, setCookie } from "./cookies";

const KNOWN_COOKIE = "gw_known";
const ONE_YEAR_SECONDS = 31_536_000;
const MAX_PEOPLE = 8;

/** Returns the marks of the accounts that signed in with the browser of a request; they are not verified yet. */
export const marksOf = (request: Request): string[] =>
  (readCookie(request, KNOWN_COOKIE) ?? "").split(".").filter(Boolean).slice(0, MAX_PEOPLE);

/** Returns the Set-Cookie header that marks a browser as known to an account, until the account's password changes. */
export function knownDeviceCookie(request: Request, account: { id: number; passwordHash: string | null }): string {
  const before = marksOf(request);
  const mark = markDevice(account, before);
  const marks = [mark, ...before.filter((other) => other !== mark)].slice(0, MAX_PEOPLE);
  return setCookie(KNOWN_COOKIE, marks.join("."), { maxAgeSeconds: ONE_YEAR_SECONDS });
}
