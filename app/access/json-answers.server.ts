import type { EntryContext, MiddlewareFunction } from "react-router";
import { isRouteErrorResponse } from "react-router";
import { apiError } from "~/errors/app-error";
import { portalErrorBody } from "~/errors/envelope";
import { translateText } from "~/errors/say.server";
import { NO_SUCH_FIELD } from "~/http/body/fields";
import { moneyJson } from "~/http/body/json/money-json";
import { wantsJson } from "./wants-json";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether the response of a page must be JSON, because a program has sent it a form. */
export const isProgramsForm = (request: Request): boolean => !SAFE_METHODS.has(request.method) && wantsJson(request);

/** Returns the target of a redirect to programs as JSON, instead of redirecting them. */
export const jsonForPrograms: MiddlewareFunction<Response> = async ({ request }, next) => {
  const response = await next();
  const location = response.headers.get("location");
  if (!isProgramsForm(request) || location === null || response.status < 300 || response.status > 399) return response;
  const headers = new Headers(response.headers);
  headers.delete("location");
  headers.set("content-type", "application/json");
  return new Response(JSON.stringify({ ok: true, location }), { headers });
};

/**
 * Returns the result of a page's action as JSON: `{ok: true, …}`, or the fields of an error. An action that rejects a
 * form returns `data({form}, {status: 422})` with `form` from `parseForm`; this becomes `detail`, with one entry per
 * field.
 */
export function jsonOfPage(context: EntryContext["staticHandlerContext"], status: number, headers: Headers): Response {
  headers.set("content-type", "application/json");
  headers.set("cache-control", "no-store");
  return new Response(moneyJson(bodyOf(context, status)), { status, headers });
}

function bodyOf({ errors, actionData }: EntryContext["staticHandlerContext"], status: number): object {
  const [answer] = Object.values(actionData ?? {});
  // If the action has returned, the status is about the action, even if loaders of the page have failed.
  const [thrown] = answer === undefined ? Object.values(errors ?? {}) : [];
  if (thrown !== undefined) {
    const own = isRouteErrorResponse(thrown) ? fieldsOf(thrown.data) : null;
    if (own !== null && typeof own.code === "string") return own;
    return portalErrorBody(apiError(codeOfStatus(status)));
  }
  const fields = fieldsOf(answer) ?? {};
  if (status < 400) return { ok: true, ...fields };
  const form = fieldsOf(fields.form) ?? fields;
  const messages = Object.entries(fieldsOf(form.fields) ?? {});
  const detail = messages.map(([name, msg]) => ({
    loc: ["body", name],
    msg: translateText(String(msg), "en"),
    type: msg === NO_SUCH_FIELD ? "extra_forbidden" : "value_error",
  }));
  const userMessage = detail[0]?.msg;
  const code = typeof fields.code === "string" ? fields.code : "validation_error";
  return { detail, ...portalErrorBody(apiError("validation_error", { userMessage })), code };
}

function codeOfStatus(status: number) {
  if (status === 404) return "not_found" as const;
  if (status === 405) return "method_not_allowed" as const;
  return status < 500 ? ("invalid_request" as const) : ("internal_error" as const);
}

function fieldsOf(value: unknown): Record<string, unknown> | null {
  if (typeof value === "string") {
    try {
      return fieldsOf(JSON.parse(value));
    } catch {
      return null;
    }
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
