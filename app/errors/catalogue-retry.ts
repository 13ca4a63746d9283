import type { CatalogueRow } from "./catalogue-entry";

export const RETRY_ROWS = {
  auth_unavailable: {
    status: 503,
    retryAfterSeconds: 2,
    userMessage: "Your key or sign-in cannot be checked right now. It was not refused; try again in a moment.",
  },
  autorouter_unavailable: {
    reserved: "model_choice",
    status: 503,
    retryAfterSeconds: 5,
    userMessage:
      "The automatic choice of a model is not available right now. Try again shortly, or name a model yourself.",
  },
  billing_proof_unavailable: {
    reserved: "unavailable",
    status: 503,
    retryAfterSeconds: 5,
    userMessage:
      "Proof that this request is paid for cannot be fetched right now. Nothing was charged; try again shortly.",
  },
  billing_unavailable: {
    status: 503,
    retryAfterSeconds: 2,
    userMessage: "Spending cannot be recorded right now, so the request was not started. Try again in a moment.",
  },
  bridge_timeout: {
    reserved: "bridges",
    status: 504,
    userMessage: "The bridge to your own environment did not answer in time. Check that it is running, then try again.",
  },
  budget_alert_history_unavailable: {
    status: 503,
    retryAfterSeconds: 5,
    userMessage: "The history of budget alerts cannot be read right now. Load it again in a few seconds.",
  },
  byok_mode_unavailable: {
    reserved: "own_supplier_keys",
    status: 503,
    retryAfterSeconds: 10,
    userMessage:
      "Using your own supplier key is not possible right now. Try again shortly, or use the built-in suppliers.",
  },
  capacity_exceeded: {
    status: 503,
    type: "overloaded_error",
    retryAfterSeconds: 5,
    userMessage: "The service is at its capacity. Retry after the time in Retry-After.",
  },
  current_quota_unavailable: {
    reserved: "unavailable",
    status: 503,
    retryAfterSeconds: 5,
    userMessage: "What is left of your quota cannot be read right now. Try again in a few seconds.",
  },
  document_conversion_operation_unavailable: {
    reserved: "documents",
    status: 503,
    retryAfterSeconds: 10,
    userMessage: "The state of this document conversion cannot be read right now. Ask again shortly with the same key.",
  },
  document_conversion_settlement_unavailable: {
    reserved: "documents",
    status: 503,
    retryAfterSeconds: 10,
    userMessage: "The conversion cannot be settled right now. Keep its Idempotency-Key and ask again shortly.",
  },
  error_catalog_unavailable: {
    reserved: "unavailable",
    status: 503,
    retryAfterSeconds: 5,
    userMessage: "The list of error codes cannot be served right now. Load it again in a few seconds.",
  },
  internal_error: {
    status: 500,
    userMessage: "Something went wrong. Try again. If it keeps happening, give support the request ID.",
  },
  invalid_upstream_call_id: {
    reserved: "realtime",
    status: 502,
    userMessage: "The supplier named a call that cannot be right, so its answer was not used. Try again.",
  },
  live_metric_divergence_unavailable: {
    reserved: "unavailable",
    status: 503,
    retryAfterSeconds: 10,
    userMessage: "The comparison of live figures is not available right now. Load the page again shortly.",
  },
  live_metric_health_unavailable: {
    reserved: "unavailable",
    status: 503,
    retryAfterSeconds: 10,
    userMessage: "The health of the live figures cannot be read right now. Look again shortly.",
  },
  materializer_unavailable: {
    reserved: "unavailable",
    status: 503,
    retryAfterSeconds: 10,
    userMessage: "Figures for this view cannot be prepared right now. Try again in a few seconds.",
  },
  model_authorization_unavailable: {
    reserved: "unavailable",
    status: 503,
    retryAfterSeconds: 2,
    userMessage: "Whether you may use this model cannot be checked right now. Try again in a moment.",
  },
  model_unavailable: {
    reserved: "model_choice",
    status: 503,
    retryAfterSeconds: 10,
    userMessage: "This model cannot be reached right now. Try again shortly, or use another model.",
  },
  observer_unavailable: {
    reserved: "agents_hosted",
    status: 503,
    retryAfterSeconds: 10,
    userMessage: "The observer of this session is not available right now. Try again in a few seconds.",
  },
  origin_context_unavailable: {
    reserved: "client_secrets",
    status: 503,
    retryAfterSeconds: 5,
    userMessage: "Where this request comes from cannot be established right now. Try again in a few seconds.",
  },
  preferred_node_unavailable: {
    reserved: "routes",
    status: 503,
    retryAfterSeconds: 5,
    userMessage: "The server that holds this session is not available right now. Try again shortly.",
  },
  pricing_provenance_unavailable: {
    reserved: "unavailable",
    status: 503,
    retryAfterSeconds: 10,
    userMessage: "The source of the price cannot be confirmed right now, so nothing was started. Try again shortly.",
  },
  provider_timeout: {
    reserved: "supplier_failure",
    status: 504,
    userMessage: "The supplier took too long to answer. Try again, or ask for a shorter answer.",
  },
  provider_unavailable: {
    reserved: "supplier_failure",
    status: 503,
    retryAfterSeconds: 5,
    userMessage: "The supplier of this model is not available right now. Try again in a few seconds.",
  },
  rate_limit_exceeded: {
    status: 429,
    retryAfterSeconds: 10,
    userMessage: "This key has sent more requests than its limit for one minute. Retry after the time in Retry-After.",
  },
  rate_limit_state_unavailable: {
    reserved: "unavailable",
    status: 503,
    retryAfterSeconds: 2,
    userMessage:
      "The request limit cannot be checked right now, so the request was not started. Try again in a moment.",
  },
  realtime_capacity_unavailable: {
    reserved: "realtime",
    status: 503,
    type: "overloaded_error",
    retryAfterSeconds: 10,
    userMessage: "All places for realtime calls are taken. Try again in a few seconds.",
  },
  realtime_keyring_unavailable: {
    reserved: "realtime",
    status: 503,
    retryAfterSeconds: 10,
    userMessage: "The keys for realtime calls cannot be read right now. Try again shortly.",
  },
  realtime_service_unavailable: {
    reserved: "realtime",
    status: 503,
    retryAfterSeconds: 10,
    userMessage: "Realtime calls are not available right now. Try again shortly.",
  },
  realtime_state_unavailable: {
    reserved: "realtime",
    status: 503,
    retryAfterSeconds: 5,
    userMessage: "The state of this realtime call cannot be read right now. Ask again in a few seconds.",
  },
  request_timeout: {
    status: 408,
    userMessage: "The request did not arrive completely in time. Check the connection and send it again.",
  },
  responses_provider_unavailable: {
    reserved: "supplier_failure",
    status: 503,
    retryAfterSeconds: 5,
    userMessage: "No supplier for native agents is available right now. Try again in a few seconds.",
  },
  server_error: {
    reserved: "supplier_failure",
    status: 500,
    userMessage: "The server could not finish this request. Try again; if it stays, contact support.",
  },
  service_unavailable: {
    status: 503,
    retryAfterSeconds: 5,
    userMessage: "The service is temporarily unavailable. Retry after the time in Retry-After.",
  },
  sovereign_route_unavailable: {
    status: 503,
    retryAfterSeconds: 30,
    userMessage:
      "No supplier inside the allowed regions can take this request, and it was not sent elsewhere. Try again later, or allow another region.",
  },
  sovereign_route_validation_unavailable: {
    reserved: "routes",
    status: 503,
    retryAfterSeconds: 5,
    userMessage:
      "The region rule cannot be verified right now, so nothing was sent anywhere. Try again in a few seconds.",
  },
  sse_bridge_capacity_exhausted: {
    reserved: "bridges",
    status: 503,
    type: "overloaded_error",
    retryAfterSeconds: 5,
    userMessage: "Too many streams are open through the bridge. Let one finish, or try again in a few seconds.",
  },
  strict_preferred_runtime_node_unavailable: {
    reserved: "routes",
    status: 503,
    retryAfterSeconds: 10,
    userMessage: "This session may run on one server only, and that server is not available. Try again shortly.",
  },
  timeout: {
    reserved: "supplier_failure",
    status: 504,
    userMessage: "This took longer than the time allowed for it. Try again, or split the work into smaller requests.",
  },
  transcription_provider_unavailable: {
    reserved: "supplier_failure",
    status: 503,
    retryAfterSeconds: 10,
    userMessage: "No supplier that turns speech into text is available right now. Send the file again shortly.",
  },
  unsafe_realtime_upstream: {
    reserved: "realtime",
    status: 502,
    userMessage:
      "The supplier's address for this realtime call is not safe to use, so no call was made. Try again later.",
  },
  upstream_closed_without_session: {
    reserved: "realtime",
    status: 502,
    userMessage: "The supplier closed the connection before the session began. Start the session again.",
  },
  upstream_error: {
    status: 502,
    userMessage: "The supplier could not process this request. Try again; if it stays, use another model.",
  },
  upstream_failed: {
    status: 502,
    userMessage: "The supplier started on this request and failed. Try again in a moment.",
  },
  upstream_invalid_response: {
    status: 502,
    userMessage: "The supplier's answer could not be understood and was not passed on. Try again.",
  },
  upstream_timeout: {
    status: 504,
    userMessage: "No answer came from the supplier in time. Try again, or choose a faster model.",
  },
  upstream_unavailable: {
    status: 503,
    retryAfterSeconds: 5,
    userMessage: "The supplier cannot be reached right now. Try again in a few seconds.",
  },
  webchat_exchange_unavailable: {
    reserved: "client_secrets",
    status: 503,
    retryAfterSeconds: 5,
    userMessage: "The chat on this page cannot be connected right now. Reload the page in a few seconds.",
  },
} as const satisfies Readonly<Record<string, CatalogueRow>>;
