import { type CatalogueEntry, type ErrorGroup, type ErrorType, type RetryKind, typeOfStatus } from "./catalogue-entry";

/**
 * Reasons why gw never returns a code of the published reference. Such a code stays in the reference for programs that
 * are written against it; the reference shows the sentence instead of a cause.
 */
export const RESERVED: Readonly<Record<string, string>> = {
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
};

/** The reserved codes of the published reference. */
export const RESERVED_ENTRIES: readonly CatalogueEntry[] =
  // code, status, group, reason, retry kind, perhaps Retry-After in seconds and a type that is not the status's | message
  `
atomic_canary_manual_review 424 S test_requests never | A paid test request was sent and its settlement is being reviewed by hand. Do not send it again; give support the request ID.
atomic_canary_unknown 424 S test_requests never | A paid test request was sent and the supplier's outcome is unknown. Do not send it again; give support the request ID.
edge_error 502 S edge wait 2 | The application behind this address could not be reached. Wait a moment and try again.
identity_execution_capacity 503 S identities wait 5 overloaded_error | The identity chosen to run this request is busy. Retry after the time in Retry-After; do not switch identities unless that is allowed.
realtime_call_recovery_required 424 S realtime never | A realtime call may already have been created and must be recovered. Do not start another one; give support the request ID.
requester_bridge_required_unavailable 424 S bridges after_change | This request needs the requester bridge, which is not available. An administrator has to restore it before you try again.
settlement_pending 409 S documents same_key 5 | The document was converted and its settlement, at no cost, is still pending. Check with the same body and Idempotency-Key; never use a new one.
streaming_settlement_buffer_exceeded 424 S settlement never | The answer outgrew the space kept for exact settlement. Support settles it first; then ask for a shorter answer or have the space enlarged.
streaming_settlement_cancelled 424 S settlement never | The exact settlement of this stream was cancelled, but the supplier may have done the work. Wait for support to confirm before you repeat it.
supplier_settlement_unavailable 424 S settlement never | The cost of this request cannot be settled right now. Let support confirm the original request and its billing before anything is repeated.
autorouter_unavailable 503 R model_choice wait 5 | The automatic choice of a model is not available right now. Try again shortly, or name a model yourself.
billing_proof_unavailable 503 R unavailable wait 5 | Proof that this request is paid for cannot be fetched right now. Nothing was charged; try again shortly.
bridge_timeout 504 R bridges wait | The bridge to your own environment did not answer in time. Check that it is running, then try again.
byok_mode_unavailable 503 R own_supplier_keys wait 10 | Using your own supplier key is not possible right now. Try again shortly, or use the built-in suppliers.
current_quota_unavailable 503 R unavailable wait 5 | What is left of your quota cannot be read right now. Try again in a few seconds.
document_conversion_operation_unavailable 503 R documents wait 10 | The state of this document conversion cannot be read right now. Ask again shortly with the same key.
document_conversion_settlement_unavailable 503 R documents wait 10 | The conversion cannot be settled right now. Keep its Idempotency-Key and ask again shortly.
error_catalog_unavailable 503 R unavailable wait 5 | The list of error codes cannot be served right now. Load it again in a few seconds.
invalid_upstream_call_id 502 R realtime wait | The supplier named a call that cannot be right, so its answer was not used. Try again.
live_metric_divergence_unavailable 503 R unavailable wait 10 | The comparison of live figures is not available right now. Load the page again shortly.
live_metric_health_unavailable 503 R unavailable wait 10 | The health of the live figures cannot be read right now. Look again shortly.
materializer_unavailable 503 R unavailable wait 10 | Figures for this view cannot be prepared right now. Try again in a few seconds.
model_authorization_unavailable 503 R unavailable wait 2 | Whether you may use this model cannot be checked right now. Try again in a moment.
model_unavailable 503 R model_choice wait 10 | This model cannot be reached right now. Try again shortly, or use another model.
observer_unavailable 503 R agents_hosted wait 10 | The observer of this session is not available right now. Try again in a few seconds.
origin_context_unavailable 503 R client_secrets wait 5 | Where this request comes from cannot be established right now. Try again in a few seconds.
preferred_node_unavailable 503 R routes wait 5 | The server that holds this session is not available right now. Try again shortly.
pricing_provenance_unavailable 503 R unavailable wait 10 | The source of the price cannot be confirmed right now, so nothing was started. Try again shortly.
provider_timeout 504 R supplier_failure wait | The supplier took too long to answer. Try again, or ask for a shorter answer.
provider_unavailable 503 R supplier_failure wait 5 | The supplier of this model is not available right now. Try again in a few seconds.
rate_limit_state_unavailable 503 R unavailable wait 2 | The request limit cannot be checked right now, so the request was not started. Try again in a moment.
realtime_capacity_unavailable 503 R realtime wait 10 overloaded_error | All places for realtime calls are taken. Try again in a few seconds.
realtime_keyring_unavailable 503 R realtime wait 10 | The keys for realtime calls cannot be read right now. Try again shortly.
realtime_service_unavailable 503 R realtime wait 10 | Realtime calls are not available right now. Try again shortly.
realtime_state_unavailable 503 R realtime wait 5 | The state of this realtime call cannot be read right now. Ask again in a few seconds.
responses_provider_unavailable 503 R supplier_failure wait 5 | No supplier for native agents is available right now. Try again in a few seconds.
server_error 500 R supplier_failure wait | The server could not finish this request. Try again; if it stays, contact support.
sovereign_route_validation_unavailable 503 R routes wait 5 | The region rule cannot be verified right now, so nothing was sent anywhere. Try again in a few seconds.
sse_bridge_capacity_exhausted 503 R bridges wait 5 overloaded_error | Too many streams are open through the bridge. Let one finish, or try again in a few seconds.
strict_preferred_runtime_node_unavailable 503 R routes wait 10 | This session may run on one server only, and that server is not available. Try again shortly.
timeout 504 R supplier_failure wait | This took longer than the time allowed for it. Try again, or split the work into smaller requests.
transcription_provider_unavailable 503 R supplier_failure wait 10 | No supplier that turns speech into text is available right now. Send the file again shortly.
unsafe_realtime_upstream 502 R realtime wait | The supplier's address for this realtime call is not safe to use, so no call was made. Try again later.
upstream_closed_without_session 502 R realtime wait | The supplier closed the connection before the session began. Start the session again.
webchat_exchange_unavailable 503 R client_secrets wait 5 | The chat on this page cannot be connected right now. Reload the page in a few seconds.
authentication 401 A sessions after_change | You could not be identified. Check the key or sign in again.
claim_expired 401 A remote_work after_change | The claim attached to this request has run out. Fetch a new one and send the request with it.
expired_client_secret 401 A client_secrets after_change | This client secret has expired. Ask your server for a new one before connecting.
free_token_grant_create_failed 403 A grants after_change | The free tokens could not be granted with these credentials. Ask an administrator to grant them.
free_token_grant_update_failed 403 A grants after_change | The free-token grant could not be changed with these credentials. Ask an administrator to change it.
invalid_session 401 A sessions after_change | Your session is no longer valid. Sign in again.
lease_expired_or_unknown 401 A remote_work after_change | The lease for this work has ended or was never given. Take the work again from the queue.
missing_session_key 401 A sessions after_change | The session's key is missing. Start the session again and keep the key it returns.
model_vendora_code_unauthorized 401 A agents_hosted after_change | The coding agent's account does not accept this request. Have that account connected again.
session_collision 401 A sessions after_change | This session is already used by someone else. Sign in again to get a session of your own.
session_limit 401 A sessions after_change | There are too many open sessions for this account. Sign out somewhere else, then sign in here.
session_too_large 401 A sessions after_change | The session holds more than it may. Sign out and in again to start with a fresh one.
unauthenticated 401 A sessions after_change | You are not signed in. Sign in, then do this again.
unauthorized 401 A sessions after_change | These credentials do not open this. Use a key or an account that may do it.
atomic_canary_forbidden 403 P test_requests after_change | Paid test requests are not allowed for this account. Ask an administrator to enable them.
client_secret_scope_mismatch 403 P client_secrets after_change | This client secret was made for other uses. Create one with the scope you need.
document_conversion_provider_policy_invalid 403 P documents after_change | The organisation's rule for document conversion is not usable. Have its administrator correct it.
fake_adapter_forbidden 403 P test_requests after_change | Stand-in suppliers may not be used here. Choose a real supplier.
model_not_accessible 403 P model_choice after_change | Your account has no access to this model. Choose another one, or ask for access to it.
origin_required 403 P client_secrets after_change | The request does not say which site it comes from. Send it from a browser page with an Origin header.
pin_forbidden 403 P routes after_change | You may not choose the supplier route yourself. Leave the choice out of the request.
proxy_event_ingest_disabled 403 P remote_work after_change | Events of proxies are not accepted here. An administrator can switch this on.
realtime_transport_required 403 P realtime after_change | This model works in realtime calls only. Open a realtime call instead of sending a plain request.
replacement_required 403 P publications after_change | This has been replaced and may not be used any more. Use its replacement.
requester_bridge_disabled 403 P bridges after_change | The requester bridge is switched off for this account. Ask an administrator to switch it on.
streaming_settlement_required 403 P settlement after_change | Streams of this model need exact settlement, which is not set up. Ask for the whole answer instead.
vendorb_org_context_required 403 P agents_hosted after_change | Native-agent requests need an organisation. Use a key that belongs to one.
vendorb_org_lane_disabled 403 P agents_hosted after_change | Native agents are switched off for your organisation. Ask its administrator to switch them on.
webchat_key_scope 403 P client_secrets after_change | This key is meant for the chat page only. Create an API key for your application.
byok_budget_unknown 403 B own_supplier_keys after_change | The budget for your own supplier key is not known. Ask the billing administrator to set it.
payment_required 402 B payment after_change | This needs a payment first. Add funds or a payment method, then try again.
alias_redirect_conflict 409 C invalid_value after_change | This model alias points to another alias in a circle or twice. Have an administrator correct the alias.
async_completion_too_large 413 C remote_work after_change | The result that was handed in later is larger than allowed. Shorten it and hand it in again.
atomic_canary_binding_missing 400 C test_requests after_change | The paid test request is not bound to a route. Name the route it is meant to test.
atomic_canary_identity_missing 400 C test_requests after_change | The paid test request does not say who it runs as. Add the identity and send it again.
atomic_canary_lane_mismatch 409 C test_requests after_change | The paid test request names another route than the one it is bound to. Make the two agree.
atomic_canary_refused 403 C test_requests after_change | The paid test request was refused before anything was sent. Read the reason in the detail and correct it.
backend_error 502 C supplier_failure after_change | The service behind this model reported an error. Check the request; if it is right, contact support.
backup_chain_exhausted 503 C supplier_failure wait 10 | All the backups for this model failed as well. Wait a little, or name a model of another supplier.
bridge_operation_failed 502 C bridges after_change | The bridge to your environment could not carry this out. Look at the bridge's own log for the reason.
capability_denied 403 C permission after_change | Your key may not use this ability of the model. Ask for it to be allowed, or leave it out.
claim_mismatch 409 C remote_work after_change | The claim belongs to other work than this request. Send the claim that was given for it.
client_secret_collision 409 C client_secrets after_change | A client secret with this name exists already. Choose another name or use the one you have.
client_secret_limit 409 C client_secrets after_change | There are as many client secrets as allowed. Delete one you no longer need, then create this one.
client_secret_origin_mismatch 403 C client_secrets after_change | This client secret was made for another site. Create one for the site you are calling from.
client_secret_principal_mismatch 403 C client_secrets after_change | This client secret belongs to another account. Use one that was created for yours.
collection_error 500 C unavailable after_change | These figures could not be collected. Narrow the time range or the filter and load them again.
configuration_error 500 C invalid_value after_change | A setting of the service is wrong or missing. Ask the administrator to look at the configuration.
context_length 400 C invalid_value after_change | The input is longer than this model can read. Remove older messages or choose a model with more room.
context_length_exceeded_orchestration 400 C agents_hosted after_change | With the steps in between, the work no longer fits into the model's context. Split it into smaller tasks.
corp_key_exception 500 C own_supplier_keys after_change | The company's supplier key could not be used. Ask the administrator to check that key.
csrf_failed 403 C permission after_change | The form's protection did not match, perhaps because it was open for long. Reload the page and send it again.
delivery_lease_unknown 409 C remote_work after_change | This delivery is not reserved for you. Reserve it before you report on it.
document_conversion_error 400 C documents after_change | The document could not be converted. Check that it opens, and that it is not protected or damaged.
empty_response 502 C supplier_failure after_change | The supplier answered without any content. Rephrase the request or use another model.
empty_stream 502 C broken_stream after_change | The supplier opened a stream and sent nothing in it. Send the request without streaming, or use another model.
exception 500 C supplier_failure after_change | The request hit an error nobody foresaw. Give support the request ID so that it can be corrected.
from_address_domain_mismatch 422 C invalid_value after_change | The sender address does not belong to your organisation's domain. Use an address of that domain.
identity_cycle 409 C identities after_change | These identities point at each other in a circle. Remove one of the links.
invalid_arguments 400 C invalid_value after_change | The arguments do not fit this operation. Compare them with its description and correct them.
invalid_backend_response 502 C supplier_failure after_change | The service behind this request answered in a form that cannot be used. Contact support if it stays.
invalid_client_secret 401 C client_secrets after_change | This client secret is not valid. Ask your server for a new one and connect with that.
invalid_document_input 400 C documents after_change | The document was not sent in a usable way. Send it as one file, or as one address that can be read.
invalid_domain 422 C invalid_value after_change | This is not a domain name we can use. Write it without https:// and without a path.
invalid_email 422 C invalid_value after_change | This doesn’t look like an email address. Check it for typos.
invalid_event_type 400 C remote_work after_change | This type of event is not known. Use one of the types in the description.
invalid_from_address 422 C invalid_value after_change | The sender address cannot be used. Give a complete e-mail address that can receive replies.
invalid_image_count 400 C invalid_value after_change | This number of images is not possible with the model. Ask for fewer, at least one.
invalid_image_dimensions 400 C invalid_value after_change | The model cannot make images of this size. Choose one of the sizes it offers.
invalid_lane_pin 400 C routes after_change | The supplier route that was asked for is not written correctly. Correct its name or leave it out.
invalid_ocr_input 400 C documents after_change | Text cannot be read from this input. Send a picture or a scanned page in a usual format.
invalid_provider 400 C invalid_value after_change | There is no supplier by this name. Choose one from the list of suppliers.
invalid_provider_change_request 400 C publications after_change | This change to a supplier is incomplete or contradicts itself. Correct the fields that are named.
invalid_provider_sdp 502 C realtime after_change | The supplier's connection details for this call cannot be used. Start a new call.
invalid_publication_request 400 C publications after_change | This publication is incomplete. Say what is to be published and where, then send it again.
invalid_realtime_mode 400 C realtime after_change | This mode of realtime call is not known. Use one that the model's description lists.
invalid_schema_version 400 C invalid_value after_change | This version of the format is not supported. Send the version that the description names.
invalid_sdp 400 C realtime after_change | The connection details of your call cannot be read. Create a new offer in the browser and send that.
invalid_terminal 424 C broken_stream check | The answer ended in a way its format does not allow. Treat it as incomplete and check it before repeating.
invalid_workload_attribution 400 C invalid_value after_change | What this work should be booked on is not valid. Name a project and purpose that exist.
json_decode_error 400 C invalid_value after_change | A part of the request that should be JSON could not be read. Check that part for quotes and escapes.
last_error_no_content 502 C supplier_failure after_change | The last attempt failed and the supplier gave no reason. Change the model or contact support.
lease_mismatch 409 C remote_work after_change | This work is reserved under another lease. Use the lease you were given last.
max_delivery_attempts_exceeded 502 C remote_work after_change | This was sent as often as allowed and never accepted. Correct the receiver, then start it by hand.
max_hops_exceeded 502 C remote_work after_change | The request was passed on too many times, probably in a circle. Have the addresses of the gateways checked.
missing_client_secret 401 C client_secrets after_change | The client secret is missing. Fetch one from your server and send it along.
missing_events 400 C remote_work after_change | No events were sent. Put at least one event into the list.
missing_node 400 C routes after_change | The request does not say which server it is for. Add the server's name.
missing_prompt 400 C invalid_value after_change | There is nothing to answer: the prompt is missing. Add it and send the request again.
missing_sticky_key 400 C routes after_change | To continue this session, send its identifier in X-Session-Id or in metadata.session_id.
missing_terminal 424 C broken_stream check | The answer came without its closing part. Treat it as incomplete and check it before sending it again.
missing_tool_call_id 400 C invalid_value after_change | A tool result does not say which call it answers. Add the id of that tool call.
missing_workspace 400 C invalid_value after_change | The request does not name a workspace. Choose the workspace it belongs to.
model_not_available 404 C model_choice after_change | This model is not offered at the moment. Choose another one from the list of models.
no_corporate_keys 500 C own_supplier_keys after_change | The company has no supplier keys for this model. Ask the administrator to add one.
non_json_provider_response 502 C supplier_failure after_change | The supplier answered with something other than JSON. Have its base address checked.
operation_too_large 413 C invalid_value after_change | This is more than one operation may hold. Split it into several smaller ones.
operation_unknown 404 C remote_work after_change | This operation is not known. Check its id, and that it was started by you.
payload_not_durable 503 C unavailable wait 5 | The request could not be stored safely, so it was not started. Send it again in a few seconds.
pin_ambiguous_lane 409 C routes after_change | The route that was asked for fits several suppliers. Name the supplier and the region as well.
pin_no_lane 404 C routes after_change | No supplier route fits what was asked for. Choose an existing one or leave the choice to the gateway.
promo_grant_create_failed 500 C grants after_change | The promotion could not be granted. Check its amount and dates, then grant it again.
promo_grant_update_failed 500 C grants after_change | The promotion could not be changed. Load it again and repeat the change.
provider_change_not_found 404 C publications after_change | This change to a supplier does not exist. It may have been withdrawn; look at the list of changes.
provider_change_status_conflict 409 C publications after_change | This change to a supplier is already decided. Load the list again to see how.
provider_check_failed 502 C supplier_failure after_change | The supplier did not pass its check. Read what failed below and correct its address or key.
provider_error 502 C supplier_failure after_change | The supplier rejected this request. Correct what its message names, or use another supplier.
provider_missing_location 502 C realtime after_change | The supplier did not say where its call can be reached. Start the call again.
provider_realtime_error 502 C realtime after_change | The supplier ended the realtime call with an error. Start a new call when its cause is corrected.
provider_route_mismatch 409 C routes after_change | This supplier does not serve the route that was chosen. Choose a route of this supplier.
publication_plan_conflict 409 C publications after_change | Another publication changes the same things. Wait for it to finish, or withdraw one of the two.
publication_plan_not_found 404 C publications after_change | This plan of publication does not exist. Look at the list of plans for the right one.
raw_secret_field_rejected 400 C publications after_change | A secret was sent in a field that is stored openly. Put it into the field meant for secrets.
realtime_keyring_malformed 500 C realtime after_change | The keys for realtime calls are stored in a wrong form. Ask the administrator to set them again.
realtime_limit_exceeded 429 C realtime wait 30 | You have as many realtime calls open as allowed. End one, or wait until one ends.
relay_error 502 C bridges after_change | The request was lost on the way to the supplier. Check the relay's address and that it runs.
request_exception 502 C supplier_failure after_change | The request to the supplier could not be made. Have the supplier's address and certificate checked.
requester_bridge_async_completion_drain_failed 424 C bridges check | A late result from the requester bridge could not be taken over completely. Check it at its source.
responses_terminal_finalization_failed 424 C broken_stream check | The native agent's answer could not be closed properly. Check what arrived before you ask again.
responses_terminal_not_completed 424 C broken_stream check | The native agent stopped before it was done. Continue from what arrived, or ask for less at once.
retryable 503 C supplier_failure wait 2 | This failed but may work next time. Retry after the time in Retry-After.
secondary_only_evidence_cannot_stage 409 C publications after_change | Evidence from secondary sources is not enough for this step. Add a primary source first.
stale_reconciliation_action 409 C publications after_change | This entry has been reconciled in the meantime. Load the list again before you decide.
stream_drop 424 C broken_stream check | The connection dropped while the answer was arriving. What arrived is incomplete; check it before repeating.
stream_dropped 424 C broken_stream check | The supplier dropped the stream before its end. Use what arrived with care, and check it before repeating.
stream_exception 424 C broken_stream check | An error broke the stream. What arrived is incomplete; give support the request ID if it happens again.
supplier_limit 429 C supplier_failure wait 10 | The supplier takes no more requests for the moment. Retry after the time in Retry-After, or use another model.
too_many_events 400 C remote_work after_change | There are more events than one request may hold. Send them in several requests.
unresolved_image_dimensions 400 C invalid_value after_change | The size of an image could not be found out, so it cannot be priced. Send the image itself in a usual format.
unsupported_document_type 415 C documents after_change | Documents of this type cannot be converted. Save it in one of the listed types and send that.
unsupported_image_model 400 C invalid_value after_change | This model does not make images. Choose one that does.
unsupported_ocr_adapter 400 C documents after_change | This reader for scanned text is not available. Choose another one in the settings.
unsupported_realtime_event 400 C realtime after_change | Events of this type cannot be sent in a realtime call. Use the types in its description.
unsupported_realtime_model 400 C realtime after_change | This model cannot hold realtime calls. Choose one that can.
vendora_cli_result_error 502 C agents_hosted after_change | The coding agent ended with an error. Its own message says what went wrong; correct that and run it again.
vendora_code_async_tool_result_forward_failed 502 C agents_hosted after_change | A late tool result could not be handed to the coding agent. Check that its session is still open.
vendora_code_finalization_failed 424 C agents_hosted check | The coding agent's run could not be closed properly. Check its changes before you run it again.
vendora_code_incomplete_stream 424 C agents_hosted check | The coding agent's answer broke off. Check what it has changed before you continue.
vendora_code_missing_endpoint 500 C agents_hosted after_change | No address is set for the coding agent. Ask an administrator to set it.
vendora_code_node_error 502 C agents_hosted after_change | The machine that runs the coding agent reported an error. Have it checked, or choose another machine.
vendora_code_tool_result_forward_failed 502 C agents_hosted after_change | A tool result could not be handed to the coding agent. Send the result again in a new turn.
vendorb_backend_error 502 C supplier_failure after_change | The native agent's service reported an error. Check the request against what the agent supports.
vendorb_error 502 C supplier_failure after_change | The native agent could not process this request. Its own message, if there is one, names the reason.
vendord_terminal_finalization_failed 424 C broken_stream check | The last part of the answer in the messages format could not be completed. Check what arrived before repeating.
webrtc_broker_not_enabled 501 C realtime after_change | Calls from the browser are not switched on here. Ask the administrator to enable them.
`
    .trim()
    .split("\n")
    .map(readRow);

function readRow(line: string): CatalogueEntry {
  const [facts = "", humanMessage = ""] = line.split(" | ");
  const [code = "", status, group, reason = "", retry, seconds, type] = facts.split(" ");
  return {
    code,
    status: Number(status),
    type: (type as ErrorType | undefined) ?? typeOfStatus(Number(status)),
    group: group as ErrorGroup,
    humanMessage,
    retry: retry as RetryKind,
    retryAfterSeconds: seconds === undefined ? null : Number(seconds),
    reserved: RESERVED[reason] ?? "",
  };
}
