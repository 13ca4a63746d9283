import type { ErrorCode } from "~/errors/catalogue";
import { SupplierFailure, type SupplierHeaders } from "../adapter";

/**
 * Turns a supplier's error answer into a failure: its status, its own code and words, and when to come back.
 * @param tellAs the catalogue's own code for such a refusal
 */
export function readFailure(
  status: number,
  headers: SupplierHeaders,
  body: Buffer,
  tellAs: ErrorCode | null = null,
): SupplierFailure {
  const error = errorObject(body);
  const text = (name: string) =>
    typeof error[name] === "string" && error[name] !== "" ? (error[name] as string) : null;
  return new SupplierFailure("status", text("message") ?? text("detail") ?? `the supplier answered ${status}`, {
    // A server error may come from behind a model that had begun to work, but suppliers do not bill an error answer.
    executed: "no",
    status,
    supplierCode: text("code") ?? (typeof error.code === "number" ? String(error.code) : null),
    supplierType: text("type"),
    supplierDetails: error.details,
    retryAfterSeconds: retryAfter(headers) ?? resetsIn(error),
    tellAs,
  });
}

/** When a used-up allowance comes back, as some suppliers say in the body. Whole seconds, at most one day. */
function resetsIn({ resets_in_seconds }: Record<string, unknown>): number | null {
  if (typeof resets_in_seconds !== "number" || !(resets_in_seconds >= 0)) return null;
  return Math.min(86_400, Math.ceil(resets_in_seconds));
}

/** `{error: {…}}` of the chat and messages styles, `{code, message}` at the top, or `{error: "text"}`. */
function errorObject(body: Buffer): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body.toString("utf8"));
    if (typeof parsed !== "object" || parsed === null) return {};
    const { error } = parsed as { error?: unknown };
    if (typeof error === "string") return { message: error };
    return typeof error === "object" && error !== null
      ? (error as Record<string, unknown>)
      : (parsed as Record<string, unknown>);
  } catch {
    return {};
  }
}

/**
 * Whole seconds to wait, from `retry-after-ms`, or `Retry-After` as seconds or as a date (RFC 9110, 10.2.3); null when
 * the supplier says nothing usable. At most one day.
 */
export function retryAfter(headers: SupplierHeaders, now = Date.now()): number | null {
  const milliseconds = Number(single(headers["retry-after-ms"]) ?? Number.NaN);
  const value = single(headers["retry-after"]);
  const seconds = Number.isFinite(milliseconds)
    ? milliseconds / 1000
    : value === undefined || value.trim() === ""
      ? Number.NaN
      : /^\d+(\.\d+)?$/.test(value.trim())
        ? Number(value)
        : (Date.parse(value) - now) / 1000;
  if (!Number.isFinite(seconds)) return null;
  return Math.min(86_400, Math.max(0, Math.ceil(seconds)));
}

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);
