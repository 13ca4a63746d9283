import type { CatalogueRow } from "./catalogue-entry";

export const CORRECT_ROWS_A_TO_H = {
  alias_redirect_conflict: {
    reserved: "invalid_value",
    status: 409,
    userMessage:
      "This model alias points to another alias in a circle or twice. Have an administrator correct the alias.",
  },
  all_providers_exhausted: {
    status: 503,
    retry: "wait",
    retryAfterSeconds: 5,
    userMessage:
      "Every supplier that may serve this model was tried and none could. Try again shortly, or use another model.",
  },
  vendord_terminal_finalization_failed: {
    reserved: "broken_stream",
    status: 424,
    retry: "check",
    userMessage:
      "The last part of the answer in the messages format could not be completed. Check what arrived before repeating.",
  },
  async_completion_too_large: {
    reserved: "remote_work",
    status: 413,
    userMessage: "The result that was handed in later is larger than allowed. Shorten it and hand it in again.",
  },
  atomic_canary_binding_missing: {
    reserved: "test_requests",
    status: 400,
    userMessage: "The paid test request is not bound to a route. Name the route it is meant to test.",
  },
  atomic_canary_identity_missing: {
    reserved: "test_requests",
    status: 400,
    userMessage: "The paid test request does not say who it runs as. Add the identity and send it again.",
  },
  atomic_canary_lane_mismatch: {
    reserved: "test_requests",
    status: 409,
    userMessage: "The paid test request names another route than the one it is bound to. Make the two agree.",
  },
  atomic_canary_refused: {
    reserved: "test_requests",
    status: 403,
    userMessage:
      "The paid test request was refused before anything was sent. Read the reason in the detail and correct it.",
  },
  autorouter_no_candidate: {
    status: 400,
    userMessage:
      "No model fits this request within the rules of your key. Name a model, or allow more models for the key.",
  },
  backend_error: {
    reserved: "supplier_failure",
    status: 502,
    userMessage: "The service behind this model reported an error. Check the request; if it is right, contact support.",
  },
  backup_chain_exhausted: {
    reserved: "supplier_failure",
    status: 503,
    retry: "wait",
    retryAfterSeconds: 10,
    userMessage: "All the backups for this model failed as well. Wait a little, or name a model of another supplier.",
  },
  bridge_operation_failed: {
    reserved: "bridges",
    status: 502,
    userMessage:
      "The bridge to your environment could not carry this out. Look at the bridge's own log for the reason.",
  },
  capability_denied: {
    reserved: "permission",
    status: 403,
    userMessage: "Your key may not use this ability of the model. Ask for it to be allowed, or leave it out.",
  },
  capability_unsupported: {
    status: 400,
    userMessage: "This model cannot do what the request asks for. Choose a model with that ability.",
  },
  claim_mismatch: {
    reserved: "remote_work",
    status: 409,
    userMessage: "The claim belongs to other work than this request. Send the claim that was given for it.",
  },
  vendora_cli_result_error: {
    reserved: "agents_hosted",
    status: 502,
    userMessage:
      "The coding agent ended with an error. Its own message says what went wrong; correct that and run it again.",
  },
  vendora_code_async_tool_result_forward_failed: {
    reserved: "agents_hosted",
    status: 502,
    userMessage: "A late tool result could not be handed to the coding agent. Check that its session is still open.",
  },
  vendora_code_finalization_failed: {
    reserved: "agents_hosted",
    status: 424,
    retry: "check",
    userMessage: "The coding agent's run could not be closed properly. Check its changes before you run it again.",
  },
  vendora_code_incomplete_stream: {
    reserved: "agents_hosted",
    status: 424,
    retry: "check",
    userMessage: "The coding agent's answer broke off. Check what it has changed before you continue.",
  },
  vendora_code_missing_endpoint: {
    reserved: "agents_hosted",
    status: 500,
    userMessage: "No address is set for the coding agent. Ask an administrator to set it.",
  },
  vendora_code_node_error: {
    reserved: "agents_hosted",
    status: 502,
    userMessage:
      "The machine that runs the coding agent reported an error. Have it checked, or choose another machine.",
  },
  vendora_code_tool_result_forward_failed: {
    reserved: "agents_hosted",
    status: 502,
    userMessage: "A tool result could not be handed to the coding agent. Send the result again in a new turn.",
  },
  client_secret_collision: {
    reserved: "client_secrets",
    status: 409,
    userMessage: "A client secret with this name exists already. Choose another name or use the one you have.",
  },
  client_secret_limit: {
    reserved: "client_secrets",
    status: 409,
    userMessage: "There are as many client secrets as allowed. Delete one you no longer need, then create this one.",
  },
  client_secret_origin_mismatch: {
    reserved: "client_secrets",
    status: 403,
    userMessage: "This client secret was made for another site. Create one for the site you are calling from.",
  },
  client_secret_principal_mismatch: {
    reserved: "client_secrets",
    status: 403,
    userMessage: "This client secret belongs to another account. Use one that was created for yours.",
  },
  vendorb_backend_error: {
    reserved: "supplier_failure",
    status: 502,
    userMessage: "The native agent's service reported an error. Check the request against what the agent supports.",
  },
  vendorb_error: {
    reserved: "supplier_failure",
    status: 502,
    userMessage: "The native agent could not process this request. Its own message, if there is one, names the reason.",
  },
  collection_error: {
    reserved: "unavailable",
    status: 500,
    userMessage: "These figures could not be collected. Narrow the time range or the filter and load them again.",
  },
  configuration_error: {
    reserved: "invalid_value",
    status: 500,
    userMessage: "A setting of the service is wrong or missing. Ask the administrator to look at the configuration.",
  },
  conflict: {
    status: 409,
    userMessage: "Someone else has changed this. Reload and make your change again.",
  },
  context_length: {
    reserved: "invalid_value",
    status: 400,
    userMessage:
      "The input is longer than this model can read. Remove older messages or choose a model with more room.",
  },
  context_length_exceeded: {
    status: 400,
    userMessage:
      "The messages and the answer asked for do not fit into this model's context. Shorten them or lower max_tokens.",
  },
  context_length_exceeded_orchestration: {
    reserved: "agents_hosted",
    status: 400,
    userMessage:
      "With the steps in between, the work no longer fits into the model's context. Split it into smaller tasks.",
  },
  corp_key_exception: {
    reserved: "own_supplier_keys",
    status: 500,
    userMessage: "The company's supplier key could not be used. Ask the administrator to check that key.",
  },
  csrf_failed: {
    reserved: "permission",
    status: 403,
    userMessage:
      "The form's protection did not match, perhaps because it was open for long. Reload the page and send it again.",
  },
  delivery_lease_unknown: {
    reserved: "remote_work",
    status: 409,
    userMessage: "This delivery is not reserved for you. Reserve it before you report on it.",
  },
  document_conversion_error: {
    reserved: "documents",
    status: 400,
    userMessage: "The document could not be converted. Check that it opens, and that it is not protected or damaged.",
  },
  email_not_verified: {
    status: 403,
    userMessage: "Your email address is not confirmed yet. Open the link we sent you, or request another.",
  },
  email_taken: {
    status: 409,
    userMessage: "An account with this email address already exists. Sign in, or use another address.",
  },
  empty_response: {
    reserved: "supplier_failure",
    status: 502,
    userMessage: "The supplier answered without any content. Rephrase the request or use another model.",
  },
  empty_stream: {
    reserved: "broken_stream",
    status: 502,
    userMessage:
      "The supplier opened a stream and sent nothing in it. Send the request without streaming, or use another model.",
  },
  exception: {
    reserved: "supplier_failure",
    status: 500,
    userMessage: "The request hit an error nobody foresaw. Give support the request ID so that it can be corrected.",
  },
  from_address_domain_mismatch: {
    reserved: "invalid_value",
    status: 422,
    userMessage: "The sender address does not belong to your organisation's domain. Use an address of that domain.",
  },
  idempotency_conflict: {
    status: 409,
    userMessage: "This Idempotency-Key was used with a different request. Use a new key for a new request.",
  },
  identity_cycle: {
    reserved: "identities",
    status: 409,
    userMessage: "These identities point at each other in a circle. Remove one of the links.",
  },
} as const satisfies Readonly<Record<string, CatalogueRow>>;
