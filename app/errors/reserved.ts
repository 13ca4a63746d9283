/**
 * Reasons why gw never returns a code of the published reference. Such a code stays in the reference for programs that
 * are written against it; the reference shows the sentence instead of a cause.
 */
export const RESERVED = {
  realtime: "gw serves no realtime calls.",
  client_secrets: "gw issues API keys only; there are no client secrets for browsers.",
  documents: "gw does not convert documents and has no operation for reading text out of pictures.",
  test_requests: "gw sends no paid test requests.",
  bridges: "gw reaches suppliers directly; there are no bridges to a requester's environment.",
  remote_work: "No program takes work or events from gw: there are no leases, hops or deliveries to be claimed.",
  routes: "Clients cannot choose a route or a server: the key's models and regions decide.",
  agents_hosted: "gw passes requests on to agent services and runs no coding agents itself.",
  own_supplier_keys: "Suppliers' keys are the operator's; clients bring none of their own.",
  grants: "Promotions answer with conflict, not_found or invalid_request; gw grants no free tokens.",
  publications: "gw has no plans of publication, no evidence and no requests for changes to suppliers.",
  identities: "Who runs a request is the owner of its key; there are no execution identities to choose or link.",
  sessions: "Sign-in answers with authentication_required, auth_issue or invalid_credentials.",
  permission: "permission_denied, forbidden or not_found says it.",
  invalid_value: "The operation that reads the value says it with validation_error, missing_fields or invalid_request.",
  supplier_failure: "upstream_error, upstream_failed or all_providers_exhausted says it, or the supplier's own code.",
  broken_stream: "stream_error or stream_interrupted says it.",
  model_choice: "model_not_found, model_not_allowed or model_not_configured says it.",
  unavailable: "service_unavailable, billing_unavailable or internal_error says it.",
  settlement: "supplier_settlement_failed or streaming_settlement_failed says it; every stream is settled exactly.",
  edge: "What stands before gw answers with it: gw itself is the application.",
  payment: "billing_limit_reached says it to callers; the payment processor's pages say it to those who pay.",
} as const;

/** Name of such a reason. */
export type ReservedReason = keyof typeof RESERVED;
