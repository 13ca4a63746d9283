import { type AppError, apiError } from "~/errors/app-error";
import type { ErrorCode } from "~/errors/catalogue";
import { contextOverflow } from "../canonical/context-overflow";
import { isAboutSignIn } from "../canonical/reported-error";
import type { SupplierFailure } from "../canonical/supplier-failure";
import type { ReaderFailure } from "../dialects/dialect";

/** The status of a call whose client left before it was answered, which nobody is told: nothing has failed. */
export const CLIENT_LEFT = 499;

/**
 * What the client is told when no supplier answered. A supplier's own code, words and status are kept where they concern
 * the client's request; a supplier that refuses gw's credential is not the client's affair.
 * @param retrySafe whether the request may be sent again after a supplier has begun with it
 */
export function supplierError(failure: SupplierFailure, attempts: number, retrySafe = true): AppError {
  const { status, executed, retryAfterSeconds, supplierCode, supplierType, supplierParam } = failure;
  // A client that repeats by itself what may have been executed may pay twice, or do twice what leaves something behind.
  const doNotRepeat = executed === "unknown" || (executed === "yes" && !retrySafe);
  const more = { cause: failure, retryAfterSeconds: retryAfterSeconds ?? undefined };
  if (failure.kind === "aborted") return apiError(codeOf(failure), { ...more, status: CLIENT_LEFT });
  if (failure.kind === "credential" || status === 401 || status === 402 || status === 403)
    return apiError(failure.asErrorCode ?? "upstream_error", { ...more, status: 502 });
  const said = { userMessage: failure.message, supplierCode, supplierType, param: supplierParam ?? undefined };
  if (status === null && failure.isReported) {
    // An error inside an answer of 200: without a status, but the supplier's own word.
    const code: ErrorCode = attempts > 1 ? "all_providers_exhausted" : "upstream_error";
    return apiError(code, { ...more, ...said, status: 502, doNotRepeat });
  }
  if (status === null) return apiError(codeOf(failure), { ...more, doNotRepeat });
  if (status < 400) return apiError("provider_redirect_forbidden", { ...more, status: 502 });
  return apiError(codeOfStatus(status, failure, attempts), {
    ...more,
    ...said,
    doNotRepeat,
    status: KEPT.has(status) ? status : status >= 500 ? 502 : 400,
    supplierDetails: failure.supplierDetails,
  });
}

/**
 * What the client is told when its stream ends with an error of the supplier's: in the supplier's own type, code and words, because
 * clients go by them, unless they are about gw's own sign-in there.
 */
export function streamError(failure: ReaderFailure | null): AppError {
  if (failure === null || failure.protocol || isAboutSignIn(failure)) return apiError("stream_error");
  const { code, type, status = 0, message } = failure;
  return apiError("stream_error", {
    userMessage: message,
    supplierCode: contextOverflow(message) === null ? code : "context_length_exceeded",
    supplierType: type ?? TYPE_OF_STATUS[status],
  });
}

/** How suppliers that number their errors would name them. */
const TYPE_OF_STATUS: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  429: "rate_limit_error",
  503: "overloaded_error",
  529: "overloaded_error",
};

function codeOfStatus(status: number, { asErrorCode, message }: SupplierFailure, attempts: number): ErrorCode {
  if (status === 429) return "rate_limit_exceeded";
  if (status === 408) return "upstream_timeout";
  if (status >= 500) return attempts > 1 ? "all_providers_exhausted" : "upstream_error";
  // One code for it, whoever the supplier is: clients shorten the conversation and go on.
  if (contextOverflow(message) !== null) return "context_length_exceeded";
  return asErrorCode ?? "request_rejected";
}

/** Statuses that both families of SDKs turn into the right typed error. */
const KEPT = new Set([400, 404, 408, 409, 413, 415, 422, 429, 500, 502, 503, 504, 529]);

function codeOf({ kind, executed }: SupplierFailure): ErrorCode {
  if (kind === "timeout") return "upstream_timeout";
  if (kind === "connect") return "upstream_unavailable";
  if (kind === "too_large") return "provider_response_too_large";
  if (kind === "protocol") return "upstream_invalid_response";
  return executed === "unknown" ? "upstream_failed" : "upstream_error";
}
