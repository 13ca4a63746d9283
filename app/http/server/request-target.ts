import type { ErrorCode } from "~/errors/app-error";

/** The error of a request that is rejected before it is routed. */
export type Reason = { code: ErrorCode; status: number; userMessage: string };

/** Maximum query parameters, above that of every page: readers of a query may scan all names for each parameter. */
const MAX_PARAMETERS = 200;

const UNUSUAL = /[\\#%]|\/\.{1,2}(?:\/|$)/;

/**
 * Returns the error of a request target; null for an unambiguous target. Servers and libraries read `..`, `\` and `%2f`
 * differently, so such paths are rejected. An encoded slash is allowed only in the last segment of a portal path, and
 * after `/v1/models/`, as in a model's name.
 */
export function faultOfTarget(target: string): Reason | null {
  const question = target.indexOf("?");
  const path = question < 0 ? target : target.slice(0, question);
  const userMessage = UNUSUAL.test(path) ? faultOfPath(path.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, "")) : null;
  if (userMessage !== null) return { code: "invalid_request", status: 400, userMessage };
  if (question < 0 || !hasMoreThan({ text: target, mark: "&", maximum: MAX_PARAMETERS - 1, from: question }))
    return null;
  return {
    code: "request_too_large",
    status: 414,
    userMessage: `More than ${MAX_PARAMETERS} query parameters are not accepted.`,
  };
}

/**
 * Whether a path is the gateway's, also with other letter case, escapes or repeated slashes; no such path leads to a
 * page.
 */
export const isGatewayPath = (path: string): boolean =>
  /^\/+(?:v[12](?:\/|$)|health\/?$)/i.test(path.includes("%") ? decoded(path) : path);

/** Returns the path of an absolute URL, exactly as written. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}

/** Decodes the percent escapes of a text; returns it unchanged when they are malformed. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function faultOfPath(path: string): string | null {
  if (path.includes("#")) return "The address must not have a fragment.";
  if (/\\|%5c/i.test(path)) return "The path must not have a backslash.";
  const read = path.replace(/%2e/gi, ".").replace(/%2f/gi, "/");
  if (/\/\.{1,2}(?:\/|$)/.test(read)) return "The path must not have dot segments.";
  const isModel = /^\/v1\/models\/(?!%2f)[^/]+$/i.test(path);
  const isSlashHidden = /%2f/i.test(path) && ((isGatewayPath(path) && !isModel) || /%2f.*\/./i.test(path));
  return isSlashHidden ? "The path must not have an encoded slash." : null;
}

function hasMoreThan({
  text,
  mark,
  maximum,
  from,
}: {
  text: string;
  mark: string;
  maximum: number;
  from: number;
}): boolean {
  let count = 0;
  for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at + 1)) {
    count += 1;
    if (count > maximum) return true;
  }
  return false;
}
