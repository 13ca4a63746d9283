import type { ErrorCode } from "~/errors/catalogue";
import { cleanText } from "~/errors/clean-text";
import type { SupplierHeaders } from "../../canonical/exchange";
import { type ReportedError, reportedError } from "../../canonical/reported-error";
import { executedBy, SupplierFailure } from "../../canonical/supplier-failure";

/** A supplier's complete error response. */
export type ErrorAnswer = { status: number; headers: SupplierHeaders; body: Buffer };

/**
 * Converts a supplier's error response into a failure: its status, code, message, invalid field, and time to wait.
 * @param asErrorCode the catalogue's own code for such an error
 */
export function readFailure(
  { status, headers, body }: ErrorAnswer,
  asErrorCode: ErrorCode | null = null,
): SupplierFailure {
  const reported = errorIn(body);
  return new SupplierFailure("status", reported.message ?? `the supplier answered ${status}`, {
    // A model may have begun before a server error, but suppliers do not bill an error response.
    executed: executedBy({ status, isSent: true }),
    status,
    supplierCode: reported.code,
    supplierType: reported.type,
    supplierParam: reported.param,
    isReported: reported.message !== null,
    supplierDetails: reported.fields.details,
    retryAfterSeconds: retryAfter(headers) ?? resetsIn(reported.fields) ?? reportedWait(reported),
    asErrorCode,
  });
}

/**
 * Returns the seconds until an exhausted quota is restored, which some suppliers report in the body. At most one day.
 */
function resetsIn({ resets_in_seconds }: ReportedError["fields"]): number | null {
  if (typeof resets_in_seconds !== "number" || !(resets_in_seconds >= 0)) return null;
  return Math.min(86_400, Math.ceil(resets_in_seconds));
}

/** Returns the time to wait from the error's details or message: `34.07s`, `6m0s`, `20ms`, `12 seconds`. */
function reportedWait({ fields, message }: ReportedError): number | null {
  const details = Array.isArray(fields.details) ? (fields.details as ({ retryDelay?: unknown } | null)[]) : [];
  const delay = details.map((detail) => detail?.retryDelay).find((value) => typeof value === "string");
  const candidates = [delay, ...[...(message ?? "").matchAll(WAIT)].map(([, behind]) => behind)];
  const waits = candidates.map((text) => (typeof text === "string" ? secondsIn(text) : null));
  return waits.find((seconds) => seconds !== null) ?? null;
}

const WAIT = /(?:try again|retry|wait|reset)s? (?:again )?(?:in |after |for )?(?:about )?(?=(.{1,40}))/gi;

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };

/** Parses a duration at the beginning of a text, in whole seconds, at most one day; null if there is none. */
function secondsIn(text: string): number | null {
  let seconds = 0;
  let rest = text.trim();
  for (;;) {
    const [all, number, unit] =
      /^(\d+(?:\.\d+)?) ?(ms|milliseconds?|s|sec(?:ond)?s?|m|min(?:ute)?s?|h|hours?|d|days?)(?![a-z])[, ]*/i.exec(
        rest,
      ) ?? [];
    if (all === undefined) break;
    const short = /^mill|^ms/i.test(unit!) ? "ms" : unit!.charAt(0).toLowerCase();
    seconds += Number(number) * UNITS[short]!;
    rest = rest.slice(all.length);
  }
  return rest.length === text.trim().length ? null : Math.min(86_400, Math.ceil(seconds));
}

/** Reads the error from a body: JSON in any shape, or a text that is neither markup nor binary. */
function errorIn(body: Buffer): ReportedError {
  const text = body.toString("utf8");
  try {
    return reportedError(JSON.parse(text));
  } catch {
    return reportedError(/[\0\ufffd]/.test(text) ? null : (cleanText(text) ?? null));
  }
}

/**
 * Returns whole seconds to wait, from `retry-after-ms`, or `Retry-After` in seconds or as a date (RFC 9110, 10.2.3);
 * null without a valid value. At most one day.
 */
export function retryAfter(headers: SupplierHeaders, now = Date.now()): number | null {
  const milliseconds = Number(single(headers["retry-after-ms"]) ?? Number.NaN);
  const value = single(headers["retry-after"])?.trim() ?? "";
  // A proxy may have joined several headers into one.
  const number = /^\d+(?:\.\d+)?(?=\s*(?:,|$))/.exec(value)?.[0];
  const seconds = Number.isFinite(milliseconds)
    ? milliseconds / 1000
    : number !== undefined
      ? Number(number)
      : // Require a time of day, because Date.parse accepts many texts that are not dates.
        (Date.parse(/\d\d:\d\d/.test(value) ? value : "") - now) / 1000;
  if (!Number.isFinite(seconds)) return null;
  return Math.min(86_400, Math.max(0, Math.ceil(seconds)));
}

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);
