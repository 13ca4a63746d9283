import type { CatalogueRow } from "./catalogue-entry";

// Status 424 where a retry could be charged twice, because no client library retries it automatically.
export const SPECIFIC_ROWS = {
  atomic_canary_manual_review: {
    reserved: "test_requests",
    status: 424,
    userMessage:
      "A paid test request was sent and its settlement is being reviewed by hand. Do not send it again; give support the request ID.",
  },
  atomic_canary_unknown: {
    reserved: "test_requests",
    status: 424,
    userMessage:
      "A paid test request was sent and the supplier's outcome is unknown. Do not send it again; give support the request ID.",
  },
  billing_limit_reached: {
    status: 403,
    retry: "after_change",
    userMessage:
      "Whoever pays for this request cannot cover it. Add funds or contact the billing administrator, then try again.",
  },
  budget_exceeded: {
    status: 429,
    retry: "after_change",
    retryAfterSeconds: 3600,
    userMessage:
      "The spending or usage budget is used up. Wait for it to reset or have its limit raised; adding funds alone may not help.",
  },
  csrf_rejected: {
    status: 403,
    retry: "after_change",
    userMessage:
      "This did not come from a page of this portal. Reload the page at the portal's own address, sign in and do it again.",
  },
  edge_error: {
    reserved: "edge",
    status: 502,
    retry: "wait",
    retryAfterSeconds: 2,
    userMessage: "The application behind this address could not be reached. Wait a moment and try again.",
  },
  identity_execution_capacity: {
    reserved: "identities",
    status: 503,
    type: "overloaded_error",
    retry: "wait",
    retryAfterSeconds: 5,
    userMessage:
      "The identity chosen to run this request is busy. Retry after the time in Retry-After; do not switch identities unless that is allowed.",
  },
  realtime_call_recovery_required: {
    reserved: "realtime",
    status: 424,
    userMessage:
      "A realtime call may already have been created and must be recovered. Do not start another one; give support the request ID.",
  },
  requester_bridge_required_unavailable: {
    reserved: "bridges",
    status: 424,
    retry: "after_change",
    userMessage:
      "This request needs the requester bridge, which is not available. An administrator has to restore it before you try again.",
  },
  settlement_pending: {
    reserved: "documents",
    status: 409,
    retry: "same_key",
    retryAfterSeconds: 5,
    userMessage:
      "The document was converted and its settlement, at no cost, is still pending. Check with the same body and Idempotency-Key; never use a new one.",
  },
  stream_error: {
    status: 424,
    retry: "check",
    userMessage:
      "The answer could not be completed; what arrived is not all of it. Check for side effects before you send the request again.",
  },
  stream_interrupted: {
    status: 424,
    retry: "check",
    userMessage:
      "The answer stopped before its end. Treat what arrived as incomplete, and check for side effects before you send the request again.",
  },
  streaming_settlement_buffer_exceeded: {
    reserved: "settlement",
    status: 424,
    userMessage:
      "The answer outgrew the space kept for exact settlement. Support settles it first; then ask for a shorter answer or have the space enlarged.",
  },
  streaming_settlement_cancelled: {
    reserved: "settlement",
    status: 424,
    userMessage:
      "The exact settlement of this stream was cancelled, but the supplier may have done the work. Wait for support to confirm before you repeat it.",
  },
  streaming_settlement_failed: {
    status: 424,
    userMessage:
      "The exact settlement of this stream did not finish, so its outcome is open. Wait until support has settled it by the request ID.",
  },
  supplier_price_unresolved: {
    status: 424,
    retry: "check",
    userMessage:
      "No confirmed price is known for this model. An administrator has to restore it; check whether the request already ran before you repeat it.",
  },
  supplier_settlement_failed: {
    status: 424,
    userMessage:
      "The cost of this request could not be confirmed, and the supplier may have done the work. Do not send it again; give support the request ID.",
  },
  supplier_settlement_unavailable: {
    reserved: "settlement",
    status: 424,
    userMessage:
      "The cost of this request cannot be settled right now. Let support confirm the original request and its billing before anything is repeated.",
  },
} as const satisfies Readonly<Record<string, CatalogueRow>>;
