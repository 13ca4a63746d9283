import type { ErrorCode } from "~/errors/catalogue";
import { cleanText } from "~/errors/clean-text";
import type { SupplierHeaders } from "../../canonical/exchange";
import { type ReportedError, reportedError } from "../../canonical/reported-error";
import { executedBy, SupplierFailure } from "../../canonical/supplier-failure";

/** A supplier's error answer, read to its end. */
export type ErrorAnswer = { status: number; headers: SupplierHeaders; body: Buffer };

/**
 * Turns a supplier's error answer into a failure: its status, its own code and words, the field at fault, and when to
 * come back.
 * @param asErrorCode the catalogue's own code for such a refusal
 */
export function readFailure(
  { status, headers, body }: ErrorAnswer,
  asErrorCode: ErrorCode | null = null,
): SupplierFailure {
  const said = errorIn(body);
  return new SupplierFailure("status", said.message ?? `the supplier answered ${status}`, {
    // A server error may come from behind a model that had begun to work, but suppliers do not bill an error answer.
    executed: executedBy({ status, isSent: true }),
    status,
    supplierCode: said.code,
    supplierType: said.type,
    supplierParam: said.param,
    isReported: said.message !== null,
    supplierDetails: said.fields.details,
    retryAfterSeconds: retryAfter(headers) ?? resetsIn(said.fields),
    asErrorCode,
  });
}

/** When a used-up allowance comes back, as some suppliers say in the body. Whole seconds, at most one day. */
function resetsIn({ resets_in_seconds }: ReportedError["fields"]): number | null {
  if (typeof resets_in_seconds !== "number" || !(resets_in_seconds >= 0)) return null;
  return Math.min(86_400, Math.ceil(resets_in_seconds));
}

/** The error that a body tells of: JSON in any shape, or a text that is neither markup nor bytes. */
function errorIn(body: Buffer): ReportedError {
  const text = body.toString("utf8");
  try {
    return reportedError(JSON.parse(text));
  } catch {
    return reportedError(/[\0\ufffd]/.test(text) ? null : (cleanText(text) ?? null));
  }
}

/**
 * Whole seconds to wait, from `retry-after-ms`, or `Retry-After` as seconds or as a date (RFC 9110, 10.2.3); null when
 * the supplier says nothing usable. At most one day.
 */
export function retryAfter(headers: SupplierHeaders, now = Date.now()): number | null {
  const milliseconds = Number(single(headers["retry-after-ms"]) ?? Number.NaN);
  const value = single(headers["retry-after"])?.trim() ?? "";
  // A proxy may have made one of several headers.
  const number = /^\d+(?:\.\d+)?(?=\s*(?:,|$))/.exec(value)?.[0];
  const seconds = Number.isFinite(milliseconds)
    ? milliseconds / 1000
    : number !== undefined
      ? Number(number)
      : // A date has a time of day; Date.parse finds a year in many other texts.
        (Date.parse(/\d\d:\d\d/.test(value) ? value : "") - now) / 1000;
  if (!Number.isFinite(seconds)) return null;
  return Math.min(86_400, Math.max(0, Math.ceil(seconds)));
}

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);
