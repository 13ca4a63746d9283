import type { CatalogueRow } from "./catalogue-entry";

export const CORRECT_ROWS_O_TO_Z = {
  vendorc_http_error: {
    status: 502,
    userMessage: "The aggregator behind this model refused the request. Its own status and message say why.",
  },
  operation_in_progress: {
    status: 409,
    retry: "same_key",
    retryAfterSeconds: 2,
    userMessage:
      "A request with this Idempotency-Key is still running. Wait for it to end, then ask again with the same key.",
  },
  operation_too_large: {
    reserved: "invalid_value",
    status: 413,
    userMessage: "This is more than one operation may hold. Split it into several smaller ones.",
  },
  operation_unknown: {
    reserved: "remote_work",
    status: 404,
    userMessage: "This operation is not known. Check its id, and that it was started by you.",
  },
  origin_not_allowed: {
    status: 403,
    userMessage: "Pages of this site may not call here. Have the site added to the allowed origins.",
  },
  payload_not_durable: {
    reserved: "unavailable",
    status: 503,
    retry: "wait",
    retryAfterSeconds: 5,
    userMessage: "The request could not be stored safely, so it was not started. Send it again in a few seconds.",
  },
  pin_ambiguous_lane: {
    reserved: "routes",
    status: 409,
    userMessage: "The route that was asked for fits several suppliers. Name the supplier and the region as well.",
  },
  pin_no_lane: {
    reserved: "routes",
    status: 404,
    userMessage:
      "No supplier route fits what was asked for. Choose an existing one or leave the choice to the gateway.",
  },
  pod_draining: {
    status: 503,
    retry: "wait",
    retryAfterSeconds: 1,
    userMessage: "This server is being restarted and takes no new requests. Send the request again at once.",
  },
  promo_grant_create_failed: {
    reserved: "grants",
    status: 500,
    userMessage: "The promotion could not be granted. Check its amount and dates, then grant it again.",
  },
  promo_grant_update_failed: {
    reserved: "grants",
    status: 500,
    userMessage: "The promotion could not be changed. Load it again and repeat the change.",
  },
  provider_change_not_found: {
    reserved: "publications",
    status: 404,
    userMessage: "This change to a supplier does not exist. It may have been withdrawn; look at the list of changes.",
  },
  provider_change_status_conflict: {
    reserved: "publications",
    status: 409,
    userMessage: "This change to a supplier is already decided. Load the list again to see how.",
  },
  provider_check_failed: {
    reserved: "supplier_failure",
    status: 502,
    userMessage: "The supplier did not pass its check. Read what failed below and correct its address or key.",
  },
  provider_error: {
    reserved: "supplier_failure",
    status: 502,
    userMessage: "The supplier rejected this request. Correct what its message names, or use another supplier.",
  },
  provider_missing_location: {
    reserved: "realtime",
    status: 502,
    userMessage: "The supplier did not say where its call can be reached. Start the call again.",
  },
  provider_realtime_error: {
    reserved: "realtime",
    status: 502,
    userMessage: "The supplier ended the realtime call with an error. Start a new call when its cause is corrected.",
  },
  provider_response_too_large: {
    status: 502,
    userMessage: "The supplier's answer is larger than allowed and was stopped. Ask for a shorter one.",
  },
  provider_route_mismatch: {
    reserved: "routes",
    status: 409,
    userMessage: "This supplier does not serve the route that was chosen. Choose a route of this supplier.",
  },
  publication_plan_conflict: {
    reserved: "publications",
    status: 409,
    userMessage: "Another publication changes the same things. Wait for it to finish, or withdraw one of the two.",
  },
  publication_plan_not_found: {
    reserved: "publications",
    status: 404,
    userMessage: "This plan of publication does not exist. Look at the list of plans for the right one.",
  },
  raw_secret_field_rejected: {
    reserved: "publications",
    status: 400,
    userMessage: "A secret was sent in a field that is stored openly. Put it into the field meant for secrets.",
  },
  realtime_keyring_malformed: {
    reserved: "realtime",
    status: 500,
    userMessage: "The keys for realtime calls are stored in a wrong form. Ask the administrator to set them again.",
  },
  realtime_limit_exceeded: {
    reserved: "realtime",
    status: 429,
    retry: "wait",
    retryAfterSeconds: 30,
    userMessage: "You have as many realtime calls open as allowed. End one, or wait until one ends.",
  },
  relay_error: {
    reserved: "bridges",
    status: 502,
    userMessage: "The request was lost on the way to the supplier. Check the relay's address and that it runs.",
  },
  request_exception: {
    reserved: "supplier_failure",
    status: 502,
    userMessage: "The request to the supplier could not be made. Have the supplier's address and certificate checked.",
  },
  request_rejected: {
    status: 400,
    userMessage: "The request was refused because of its content. Change what the message names.",
  },
  request_too_large: {
    status: 413,
    userMessage: "The request is larger than allowed. Shorten the messages, or send large files separately.",
  },
  requester_bridge_async_completion_drain_failed: {
    reserved: "bridges",
    status: 424,
    retry: "check",
    userMessage: "A late result from the requester bridge could not be taken over completely. Check it at its source.",
  },
  responses_terminal_finalization_failed: {
    reserved: "broken_stream",
    status: 424,
    retry: "check",
    userMessage: "The native agent's answer could not be closed properly. Check what arrived before you ask again.",
  },
  responses_terminal_not_completed: {
    reserved: "broken_stream",
    status: 424,
    retry: "check",
    userMessage: "The native agent stopped before it was done. Continue from what arrived, or ask for less at once.",
  },
  result_too_large: {
    status: 413,
    userMessage: "The result is larger than can be returned. Narrow the range or the filter.",
  },
  retryable: {
    reserved: "supplier_failure",
    status: 503,
    retry: "wait",
    retryAfterSeconds: 2,
    userMessage: "This failed but may work next time. Retry after the time in Retry-After.",
  },
  secondary_only_evidence_cannot_stage: {
    reserved: "publications",
    status: 409,
    userMessage: "Evidence from secondary sources is not enough for this step. Add a primary source first.",
  },
  sso_only: {
    status: 403,
    userMessage: "Your organisation uses its own identity provider. Sign in with that instead of a password.",
  },
  stale_reconciliation_action: {
    reserved: "publications",
    status: 409,
    userMessage: "This entry has been reconciled in the meantime. Load the list again before you decide.",
  },
  stream_drop: {
    reserved: "broken_stream",
    status: 424,
    retry: "check",
    userMessage:
      "The connection dropped while the answer was arriving. What arrived is incomplete; check it before repeating.",
  },
  stream_dropped: {
    reserved: "broken_stream",
    status: 424,
    retry: "check",
    userMessage:
      "The supplier dropped the stream before its end. Use what arrived with care, and check it before repeating.",
  },
  stream_exception: {
    reserved: "broken_stream",
    status: 424,
    retry: "check",
    userMessage:
      "An error broke the stream. What arrived is incomplete; give support the request ID if it happens again.",
  },
  supplier_limit: {
    reserved: "supplier_failure",
    status: 429,
    retry: "wait",
    retryAfterSeconds: 10,
    userMessage:
      "The supplier takes no more requests for the moment. Retry after the time in Retry-After, or use another model.",
  },
  too_many_events: {
    reserved: "remote_work",
    status: 400,
    userMessage: "There are more events than one request may hold. Send them in several requests.",
  },
  tos_not_accepted: {
    status: 403,
    userMessage: "The current terms are not accepted yet. Sign in to the portal and accept them.",
  },
  unresolved_image_dimensions: {
    reserved: "invalid_value",
    status: 400,
    userMessage:
      "The size of an image could not be found out, so it cannot be priced. Send the image itself in a usual format.",
  },
  unsupported_auto_mode: {
    status: 400,
    userMessage: "This mode of automatic choice does not exist. Use auto, or name a model.",
  },
  unsupported_autorouter_algorithm: {
    status: 400,
    userMessage: "This method of choosing a model is not known. Choose one of those in the autorouter's settings.",
  },
  unsupported_document_type: {
    reserved: "documents",
    status: 415,
    userMessage: "Documents of this type cannot be converted. Save it in one of the listed types and send that.",
  },
  unsupported_image_model: {
    reserved: "invalid_value",
    status: 400,
    userMessage: "This model does not make images. Choose one that does.",
  },
  unsupported_media_type: {
    status: 415,
    userMessage: "The body has a type this address does not read. Set Content-Type as the API description says.",
  },
  unsupported_ocr_adapter: {
    reserved: "documents",
    status: 400,
    userMessage: "This reader for scanned text is not available. Choose another one in the settings.",
  },
  unsupported_parameter: {
    status: 400,
    userMessage: "A parameter is not supported with this model. Remove the one that is named.",
  },
  unsupported_realtime_event: {
    reserved: "realtime",
    status: 400,
    userMessage: "Events of this type cannot be sent in a realtime call. Use the types in its description.",
  },
  unsupported_realtime_model: {
    reserved: "realtime",
    status: 400,
    userMessage: "This model cannot hold realtime calls. Choose one that can.",
  },
  user_not_found: {
    status: 404,
    userMessage: "There is no such user. The account may have been removed, or belong to another organisation.",
  },
  validation_error: {
    status: 422,
    userMessage: "Some values are not valid. Correct the fields that are named.",
  },
  weak_password: {
    status: 422,
    userMessage: "This password is too easy to guess. Use at least 10 characters, for example several words.",
  },
  webrtc_broker_not_enabled: {
    reserved: "realtime",
    status: 501,
    userMessage: "Calls from the browser are not switched on here. Ask the administrator to enable them.",
  },
} as const satisfies Readonly<Record<string, CatalogueRow>>;
