import { type AppError, refusal } from "~/errors/app-error";
import type { ErrorCode } from "~/errors/catalogue";
import type { SupplierFailure } from "./suppliers/adapter";

/**
 * What the client is told when no supplier answered. A supplier's own code, words and status are kept where they concern
 * the client's request; a supplier that refuses gw's credential is not the client's affair.
 */
export function supplierProblem(failure: SupplierFailure, attempts: number): AppError {
  const { status, retryAfterSeconds, tellAs, supplierCode, supplierType } = failure;
  const more = { cause: failure, retryAfterSeconds: retryAfterSeconds ?? undefined };
  if (failure.kind === "credential" || status === 401 || status === 402 || status === 403)
    return refusal(tellAs ?? "upstream_error", { ...more, status: 502 });
  if (status === null && (supplierCode ?? supplierType) !== null) {
    // An error inside an answer of 200: without a status, but the supplier's own word.
    const code: ErrorCode = attempts > 1 ? "all_providers_exhausted" : "upstream_error";
    const said = { human: failure.message, supplierCode, supplierType };
    return refusal(code, { ...more, ...said, status: 502, doNotRepeat: failure.executed === "unknown" });
  }
  // Nobody knows whether this request was executed: a client that repeats it by itself may pay twice.
  if (status === null) return refusal(codeOf(failure), { ...more, doNotRepeat: failure.executed === "unknown" });
  if (status < 400) return refusal("provider_redirect_forbidden", { ...more, status: 502 });
  const code: ErrorCode =
    status === 429
      ? "rate_limit_exceeded"
      : status === 408
        ? "upstream_timeout"
        : status >= 500
          ? attempts > 1
            ? "all_providers_exhausted"
            : "upstream_error"
          : (tellAs ?? "request_rejected");
  return refusal(code, {
    ...more,
    status: KEPT.has(status) ? status : status >= 500 ? 502 : 400,
    human: failure.message,
    supplierCode,
    supplierType,
    details: failure.supplierDetails,
  });
}

/** Statuses that both families of SDKs turn into the right typed error. */
const KEPT = new Set([400, 404, 408, 409, 413, 415, 422, 429, 500, 502, 503, 504, 529]);

function codeOf({ kind, executed, message }: SupplierFailure): ErrorCode {
  if (kind === "timeout") return "upstream_timeout";
  if (kind === "connect") return "upstream_unavailable";
  if (kind === "protocol")
    return message.includes("too large") ? "provider_response_too_large" : "upstream_invalid_response";
  return executed === "unknown" ? "upstream_failed" : "upstream_error";
}
