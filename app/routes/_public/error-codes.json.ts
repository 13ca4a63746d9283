import { createHash } from "node:crypto";
import { apiError } from "~/errors/app-error";
import { CATALOGUE_ENTRIES } from "~/errors/catalogue";
import { GROUPS, RETRY_ADVICE } from "~/errors/catalogue-entry";
import { methodNotAllowedResponse } from "~/errors/envelope";
import { declared } from "~/http/declaration";

const BODY = JSON.stringify({
  count: CATALOGUE_ENTRIES.length,
  message_format: "<code> - <human_message>",
  groups: Object.entries(GROUPS).map(([id, { title, action }]) => ({ id, title, action })),
  codes: CATALOGUE_ENTRIES.map((entry) => ({
    code: entry.code,
    type: entry.type,
    status: entry.status,
    group: entry.group,
    message: apiError(entry.code as "not_found").message,
    human_message: entry.humanMessage,
    retry: { kind: entry.retry, advice: RETRY_ADVICE[entry.retry], retry_after_seconds: entry.retryAfterSeconds },
    reserved: entry.reserved,
  })),
});
const ETAG = `"${createHash("sha256").update(BODY).digest("base64url").slice(0, 22)}"`;

/** The error catalogue for programs, readable from any origin. */
export function loader({ request }: { request: Request }): Response {
  const headers = { etag: ETAG, "cache-control": "public, max-age=3600", "access-control-allow-origin": "*" };
  if (request.headers.get("if-none-match")?.includes(ETAG)) return new Response(null, { status: 304, headers });
  return new Response(BODY, { headers: { ...headers, "content-type": "application/json; charset=utf-8" } });
}

export const action = declared(() => methodNotAllowedResponse(["GET", "HEAD"]), { methods: [] });
