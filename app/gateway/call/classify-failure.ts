import type { AttemptRecord } from "~/domain/accounting/shared";
import type { AttemptResult } from "~/domain/routing/index.server";
import type { InferenceRequest } from "../canonical/inference-request";
import type { SupplierFailure } from "../canonical/supplier-failure";

/**
 * A stream that breaks after its first content. Counts as a failure of its route, although the call has no second
 * attempt.
 */
export const BROKEN_STREAM: AttemptResult = Object.freeze({
  kind: "failed",
  reason: "stream broken",
  timeout: false,
  retryAfterMs: null,
});

/**
 * Whether another supplier may be tried after this failure. Not if this supplier may have executed the request and a
 * repetition could have side effects; not if its answer was complete and only too large.
 */
export function isRetryable(failure: SupplierFailure, inference: Pick<InferenceRequest, "retrySafe">): boolean {
  if (failure.kind === "aborted" || failure.kind === "too_large") return false;
  if (failure.executed !== "no" && !inference.retrySafe) return false;
  return failure.status === null || RETRIED.has(failure.status) || failure.status >= 500;
}

/** Statuses below 500 that are retried: a busy or slow supplier, or a bad credential of gw. */
const RETRIED = new Set([401, 402, 403, 408, 409, 425, 429]);

/** Returns what a failure means for the route and the credential, as opposed to the request. */
export function classifyFailure(failure: SupplierFailure): AttemptResult {
  const { kind, status, retryAfterSeconds } = failure;
  if (kind === "aborted") return { kind: "nothing" };
  const retryAfterMs = retryAfterSeconds === null ? null : retryAfterSeconds * 1000;
  if (kind === "credential" || status === 401 || status === 402 || status === 403) return { kind: "refused" };
  if (status === 429) return { kind: "limited", retryAfterMs };
  if (status === null) return { kind: "failed", reason: kind, timeout: kind === "timeout", retryAfterMs };
  if (status >= 500 || status === 408) return { kind: "failed", reason: String(status), timeout: false, retryAfterMs };
  // A supplier that rejects the request itself is healthy.
  return { kind: "rejected" };
}

/**
 * Returns the end of an attempt for its record; null means success. A disconnect of the client or a bad request is not
 * recorded as a failure of the supplier.
 */
export function attemptEnd(failure: SupplierFailure | null): Pick<AttemptRecord, "outcome" | "status" | "code"> {
  if (failure === null) return { outcome: "delivered", status: 200, code: null };
  const { status, supplierCode, kind } = failure;
  return { outcome: outcomeOf(failure), status, code: (supplierCode ?? kind).slice(0, MAX_CODE_LENGTH) };
}

/** Maximum length of a supplier's own error code in the request log. */
const MAX_CODE_LENGTH = 200;

function outcomeOf(failure: SupplierFailure): AttemptRecord["outcome"] {
  const { kind } = classifyFailure(failure);
  if (kind === "nothing") return "client_left";
  if (kind === "rejected") return "rejected";
  return failure.executed === "unknown" ? "unknown" : "not_executed";
}
