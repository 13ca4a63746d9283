import type { CatalogueRow } from "./catalogue-entry";

export const CORRECT_ROWS_I_TO_N = {
  invalid_arguments: {
    reserved: "invalid_value",
    status: 400,
    userMessage: "The arguments do not fit this operation. Compare them with its description and correct them.",
  },
  invalid_backend_response: {
    reserved: "supplier_failure",
    status: 502,
    userMessage: "The service behind this request answered in a form that cannot be used. Contact support if it stays.",
  },
  invalid_client_secret: {
    reserved: "client_secrets",
    status: 401,
    userMessage: "This client secret is not valid. Ask your server for a new one and connect with that.",
  },
  invalid_document_input: {
    reserved: "documents",
    status: 400,
    userMessage: "The document was not sent in a usable way. Send it as one file, or as one address that can be read.",
  },
  invalid_domain: {
    reserved: "invalid_value",
    status: 422,
    userMessage: "This is not a domain name we can use. Write it without https:// and without a path.",
  },
  invalid_email: {
    reserved: "invalid_value",
    status: 422,
    userMessage: "This doesn’t look like an email address. Check it for typos.",
  },
  invalid_event_type: {
    reserved: "remote_work",
    status: 400,
    userMessage: "This type of event is not known. Use one of the types in the description.",
  },
  invalid_expires_after: {
    status: 400,
    userMessage:
      "The time after which this should expire is not possible. Give a positive number of seconds within the limit.",
  },
  invalid_from_address: {
    reserved: "invalid_value",
    status: 422,
    userMessage: "The sender address cannot be used. Give a complete e-mail address that can receive replies.",
  },
  invalid_idempotency_key: {
    status: 400,
    userMessage: "The Idempotency-Key cannot be used. Send 1 to 255 visible characters, such as a UUID.",
  },
  invalid_image_count: {
    reserved: "invalid_value",
    status: 400,
    userMessage: "This number of images is not possible with the model. Ask for fewer, at least one.",
  },
  invalid_image_dimensions: {
    reserved: "invalid_value",
    status: 400,
    userMessage: "The model cannot make images of this size. Choose one of the sizes it offers.",
  },
  invalid_input: {
    status: 400,
    userMessage: "The input cannot be used as it is. Check its type and its length.",
  },
  invalid_json: {
    status: 400,
    userMessage: "The body is not valid JSON. Check quotes, commas and brackets, and that it arrived completely.",
  },
  invalid_lane_pin: {
    reserved: "routes",
    status: 400,
    userMessage: "The supplier route that was asked for is not written correctly. Correct its name or leave it out.",
  },
  invalid_ocr_input: {
    reserved: "documents",
    status: 400,
    userMessage: "Text cannot be read from this input. Send a picture or a scanned page in a usual format.",
  },
  invalid_provider: {
    reserved: "invalid_value",
    status: 400,
    userMessage: "There is no supplier by this name. Choose one from the list of suppliers.",
  },
  invalid_provider_change_request: {
    reserved: "publications",
    status: 400,
    userMessage: "This change to a supplier is incomplete or contradicts itself. Correct the fields that are named.",
  },
  invalid_provider_sdp: {
    reserved: "realtime",
    status: 502,
    userMessage: "The supplier's connection details for this call cannot be used. Start a new call.",
  },
  invalid_publication_request: {
    reserved: "publications",
    status: 400,
    userMessage: "This publication is incomplete. Say what is to be published and where, then send it again.",
  },
  invalid_realtime_mode: {
    reserved: "realtime",
    status: 400,
    userMessage: "This mode of realtime call is not known. Use one that the model's description lists.",
  },
  invalid_request: {
    status: 400,
    userMessage: "The request is not in a form this address accepts. Compare it with the API description.",
  },
  invalid_schema_version: {
    reserved: "invalid_value",
    status: 400,
    userMessage: "This version of the format is not supported. Send the version that the description names.",
  },
  invalid_sdp: {
    reserved: "realtime",
    status: 400,
    userMessage: "The connection details of your call cannot be read. Create a new offer in the browser and send that.",
  },
  invalid_terminal: {
    reserved: "broken_stream",
    status: 424,
    retry: "check",
    userMessage:
      "The answer ended in a way its format does not allow. Treat it as incomplete and check it before repeating.",
  },
  invalid_workload_attribution: {
    reserved: "invalid_value",
    status: 400,
    userMessage: "What this work should be booked on is not valid. Name a project and purpose that exist.",
  },
  json_decode_error: {
    reserved: "invalid_value",
    status: 400,
    userMessage: "A part of the request that should be JSON could not be read. Check that part for quotes and escapes.",
  },
  last_error_no_content: {
    reserved: "supplier_failure",
    status: 502,
    userMessage: "The last attempt failed and the supplier gave no reason. Change the model or contact support.",
  },
  lease_mismatch: {
    reserved: "remote_work",
    status: 409,
    userMessage: "This work is reserved under another lease. Use the lease you were given last.",
  },
  max_delivery_attempts_exceeded: {
    reserved: "remote_work",
    status: 502,
    userMessage: "This was sent as often as allowed and never accepted. Correct the receiver, then start it by hand.",
  },
  max_hops_exceeded: {
    reserved: "remote_work",
    status: 502,
    userMessage:
      "The request was passed on too many times, probably in a circle. Have the addresses of the gateways checked.",
  },
  method_not_allowed: {
    status: 405,
    userMessage: "This address does not take this method. The Allow header lists the ones it takes.",
  },
  missing_client_secret: {
    reserved: "client_secrets",
    status: 401,
    userMessage: "The client secret is missing. Fetch one from your server and send it along.",
  },
  missing_email: {
    status: 422,
    userMessage: "Enter an email address.",
  },
  missing_events: {
    reserved: "remote_work",
    status: 400,
    userMessage: "No events were sent. Put at least one event into the list.",
  },
  missing_fields: {
    status: 400,
    userMessage: "Some required fields are missing. Fill in the ones that are named.",
  },
  missing_model: {
    status: 400,
    userMessage: "The request does not name a model. Add the field model with an id from the list of models.",
  },
  missing_node: {
    reserved: "routes",
    status: 400,
    userMessage: "The request does not say which server it is for. Add the server's name.",
  },
  missing_prompt: {
    reserved: "invalid_value",
    status: 400,
    userMessage: "There is nothing to answer: the prompt is missing. Add it and send the request again.",
  },
  missing_sticky_key: {
    reserved: "routes",
    status: 400,
    userMessage: "To continue this session, send its identifier in X-Session-Id or in metadata.session_id.",
  },
  missing_terminal: {
    reserved: "broken_stream",
    status: 424,
    retry: "check",
    userMessage:
      "The answer came without its closing part. Treat it as incomplete and check it before sending it again.",
  },
  missing_tool_call_id: {
    reserved: "invalid_value",
    status: 400,
    userMessage: "A tool result does not say which call it answers. Add the id of that tool call.",
  },
  missing_workspace: {
    reserved: "invalid_value",
    status: 400,
    userMessage: "The request does not name a workspace. Choose the workspace it belongs to.",
  },
  model_does_not_support_tools: {
    status: 400,
    userMessage: "This model cannot call tools. Remove the tools, or choose a model that can.",
  },
  model_not_allowed: {
    status: 403,
    userMessage: "This key may not use that model. Use one from the key's list, or have the model added to it.",
  },
  model_not_available: {
    reserved: "model_choice",
    status: 404,
    userMessage: "This model is not offered at the moment. Choose another one from the list of models.",
  },
  model_not_configured: {
    status: 404,
    userMessage: "No supplier is set up for this model. Ask the administrator to add one, or use another model.",
  },
  model_not_found: {
    status: 404,
    userMessage: "There is no model with this id. Look it up in the list of models; upper and lower case matter.",
  },
  no_corporate_keys: {
    reserved: "own_supplier_keys",
    status: 500,
    userMessage: "The company has no supplier keys for this model. Ask the administrator to add one.",
  },
  no_domain: {
    status: 409,
    userMessage: "Your organisation has no domain yet. Add one in its settings first.",
  },
  no_providers_available: {
    status: 503,
    retry: "wait",
    retryAfterSeconds: 10,
    userMessage:
      "No supplier for this model can take requests at the moment. Retry after the time in Retry-After, or use another model.",
  },
  no_reseller: {
    status: 404,
    userMessage: "No reseller uses this address. Check the portal’s address.",
  },
  non_json_provider_response: {
    reserved: "supplier_failure",
    status: 502,
    userMessage: "The supplier answered with something other than JSON. Have its base address checked.",
  },
  not_found: {
    status: 404,
    userMessage: "Not found. Check the path and the ID.",
  },
  not_implemented: {
    status: 501,
    userMessage: "This is not offered yet. The API description lists what is.",
  },
} as const satisfies Readonly<Record<string, CatalogueRow>>;
