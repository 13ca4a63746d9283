import { type AppError, apiError } from "~/errors/app-error";
import type { ErrorCode } from "~/errors/catalogue";
import { contextOverflow, isContextOverflow } from "../canonical/context-overflow";
import { isAboutSignIn } from "../canonical/reported-error";
import type { SupplierFailure } from "../canonical/supplier-failure";
import type { ReaderFailure } from "../dialects/dialect";

/** Status of a call whose client left before it was answered. It is only logged, and not as a failure. */
export const CLIENT_LEFT = 499;

/**
 * Builds the client's error when no supplier answered. Keeps a supplier's own code, message and status if they concern
 * the client's request. A supplier that refuses gw's credential does not concern the client.
 * @param retrySafe whether the request may be sent again after a supplier has begun to execute it
 */
export function supplierError(failure: SupplierFailure, attempts: number, retrySafe = true): AppError {
  const { status, executed, retryAfterSeconds, supplierCode, supplierType, supplierParam } = failure;
  // A client that automatically repeats a request that was executed may pay twice, or repeat its side effects.
  const doNotRepeat = executed === "unknown" || (executed === "yes" && !retrySafe);
  const more = { cause: failure, retryAfterSeconds: retryAfterSeconds ?? undefined };
  if (failure.kind === "aborted") return apiError(codeOf(failure), { ...more, status: CLIENT_LEFT });
  if (failure.kind === "credential" || status === 401 || status === 402 || status === 403)
    return apiError(failure.asErrorCode ?? "upstream_error", { ...more, status: 502 });
  const known = supplierCode !== null && isPromptTooLong(failure) ? "context_length_exceeded" : supplierCode;
  const details = {
    userMessage: failure.message,
    supplierCode: known,
    supplierType,
    param: supplierParam ?? undefined,
  };
  if (status === null && failure.isReported) {
    // An error inside a response with status 200: it has no status of its own, but the message is the supplier's.
    const code: ErrorCode = attempts > 1 ? "all_providers_exhausted" : "upstream_error";
    return apiError(code, { ...more, ...details, status: 502, doNotRepeat });
  }
  if (status === null) return apiError(codeOf(failure), { ...more, doNotRepeat });
  if (status < 400) return apiError("provider_redirect_forbidden", { ...more, status: 502 });
  return apiError(codeOfStatus(status, failure, attempts), {
    ...more,
    ...details,
    doNotRepeat,
    status: KEPT.has(status) ? status : status >= 500 ? 502 : 400,
    supplierDetails: failure.supplierDetails,
  });
}

/**
 * Builds the client's error when its stream ends with a supplier's error. Keeps the supplier's type, code and message,
 * because clients depend on them, unless they are about gw's own credential.
 */
export function streamError(failure: ReaderFailure | null): AppError {
  if (failure === null || failure.protocol || isAboutSignIn(failure)) return apiError("stream_error");
  const { code, type, status = 0, message } = failure;
  return apiError("stream_error", {
    userMessage: message,
    supplierCode: isContextOverflow(message, code) ? "context_length_exceeded" : code,
    supplierType: type ?? TYPE_OF_STATUS[status],
  });
}

/** Error types for suppliers that report only a status. */
const TYPE_OF_STATUS: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  429: "rate_limit_error",
  503: "overloaded_error",
  529: "overloaded_error",
};

function codeOfStatus(status: number, failure: SupplierFailure, attempts: number): ErrorCode {
  const { asErrorCode, message } = failure;
  if (status === 429) return "rate_limit_exceeded";
  if (status === 408) return "upstream_timeout";
  if (status >= 500) return attempts > 1 ? "all_providers_exhausted" : "upstream_error";
  if (contextOverflow(message) !== null) return "context_length_exceeded";
  return asErrorCode ?? (isPromptTooLong(failure) ? "context_length_exceeded" : "request_rejected");
}

/** Maps every supplier's error to one code: clients then shorten the conversation and continue. */
const isPromptTooLong = ({ status, message, supplierCode }: SupplierFailure): boolean =>
  status !== null && status < 500 && status !== 429 && isContextOverflow(message, supplierCode);

/** Statuses for which both families of SDKs throw the right error class. */
const KEPT = new Set([400, 404, 408, 409, 413, 415, 422, 429, 500, 502, 503, 504, 529]);

function codeOf({ kind, executed }: SupplierFailure): ErrorCode {
  if (kind === "timeout") return "upstream_timeout";
  if (kind === "connect") return "upstream_unavailable";
  if (kind === "too_large") return "provider_response_too_large";
  if (kind === "protocol") return "upstream_invalid_response";
  return executed === "unknown" ? "upstream_failed" : "upstream_error";
}
