import type { CatalogueRow, ErrorGroup } from "./catalogue-entry";

/** The codes that gw answers with, by group. */
export const CATALOGUE_ROWS = {
  // Status 424 where a retry could be charged twice, because no client library retries it automatically.
  S: {
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
  },
  R: {
    auth_unavailable: {
      status: 503,
      retryAfterSeconds: 2,
      userMessage: "Your key or sign-in cannot be checked right now. It was not refused; try again in a moment.",
    },
    billing_unavailable: {
      status: 503,
      retryAfterSeconds: 2,
      userMessage: "Spending cannot be recorded right now, so the request was not started. Try again in a moment.",
    },
    budget_alert_history_unavailable: {
      status: 503,
      retryAfterSeconds: 5,
      userMessage: "The history of budget alerts cannot be read right now. Load it again in a few seconds.",
    },
    capacity_exceeded: {
      status: 503,
      type: "overloaded_error",
      retryAfterSeconds: 5,
      userMessage: "The service is at its capacity. Retry after the time in Retry-After.",
    },
    internal_error: {
      status: 500,
      userMessage: "Something went wrong. Try again. If it keeps happening, give support the request ID.",
    },
    rate_limit_exceeded: {
      status: 429,
      retryAfterSeconds: 10,
      userMessage:
        "This key has sent more requests than its limit for one minute. Retry after the time in Retry-After.",
    },
    request_timeout: {
      status: 408,
      userMessage: "The request did not arrive completely in time. Check the connection and send it again.",
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
  },
  A: {
    auth_context_denied: {
      status: 401,
      userMessage: "You can’t use this sign-in here. Sign in again from the page or app you are using.",
    },
    auth_issue: {
      status: 401,
      userMessage:
        "There is a problem with your sign-in. Sign in again, or ask your administrator to check your account.",
    },
    authentication_required: { status: 401, userMessage: "Sign in to see this page." },
    expired_api_key: {
      status: 401,
      userMessage: "This API key has expired. Create a new key or have its expiry date extended.",
    },
    invalid_api_key: {
      status: 401,
      userMessage: "This API key is not valid. Check that it was copied completely, or create a new one.",
    },
    invalid_credentials: {
      status: 401,
      userMessage: "The email address or password is incorrect. Check both, or reset your password.",
    },
    invalid_token: { status: 401, userMessage: "This link or token is no longer valid. Request a new one." },
    missing_api_key: {
      status: 401,
      userMessage: "No API key was sent. Put it in the Authorization header: Bearer, a space, then the key.",
    },
    vendorb_token_error: {
      status: 401,
      userMessage:
        "The native-agent sign-in behind this request was refused. Ask the administrator to connect that account again.",
    },
  },
  P: {
    account_status: {
      status: 403,
      userMessage: "This account is suspended or archived. Ask an admin to reactivate it.",
    },
    forbidden: {
      status: 403,
      userMessage: "You don’t have permission to do this. Ask an admin of your organisation for access.",
    },
    permission_denied: {
      status: 403,
      userMessage: "Your role does not include this action. Ask someone with a higher role to do it or to raise yours.",
    },
    provider_redirect_forbidden: {
      status: 403,
      userMessage:
        "The supplier tried to send this request to another address, which is not allowed. Have its address corrected.",
    },
  },
  B: {},
  C: {
    all_providers_exhausted: {
      status: 503,
      retry: "wait",
      retryAfterSeconds: 5,
      userMessage:
        "Every supplier that may serve this model was tried and none could. Try again shortly, or use another model.",
    },
    autorouter_no_candidate: {
      status: 400,
      userMessage:
        "No model fits this request within the rules of your key. Name a model, or allow more models for the key.",
    },
    capability_unsupported: {
      status: 400,
      userMessage: "This model cannot do what the request asks for. Choose a model with that ability.",
    },
    conflict: { status: 409, userMessage: "Someone else has changed this. Reload and make your change again." },
    context_length_exceeded: {
      status: 400,
      userMessage:
        "The messages and the answer asked for do not fit into this model's context. Shorten them or lower max_tokens.",
    },
    email_not_verified: {
      status: 403,
      userMessage: "Your email address is not confirmed yet. Open the link we sent you, or request another.",
    },
    email_taken: {
      status: 409,
      userMessage: "An account with this email address already exists. Sign in, or use another address.",
    },
    idempotency_conflict: {
      status: 409,
      userMessage: "This Idempotency-Key was used with a different request. Use a new key for a new request.",
    },
    invalid_expires_after: {
      status: 400,
      userMessage:
        "The time after which this should expire is not possible. Give a positive number of seconds within the limit.",
    },
    invalid_idempotency_key: {
      status: 400,
      userMessage: "The Idempotency-Key cannot be used. Send 1 to 255 visible characters, such as a UUID.",
    },
    invalid_input: { status: 400, userMessage: "The input cannot be used as it is. Check its type and its length." },
    invalid_json: {
      status: 400,
      userMessage: "The body is not valid JSON. Check quotes, commas and brackets, and that it arrived completely.",
    },
    invalid_request: {
      status: 400,
      userMessage: "The request is not in a form this address accepts. Compare it with the API description.",
    },
    method_not_allowed: {
      status: 405,
      userMessage: "This address does not take this method. The Allow header lists the ones it takes.",
    },
    missing_email: { status: 422, userMessage: "Enter an email address." },
    missing_fields: { status: 400, userMessage: "Some required fields are missing. Fill in the ones that are named." },
    missing_model: {
      status: 400,
      userMessage: "The request does not name a model. Add the field model with an id from the list of models.",
    },
    model_does_not_support_tools: {
      status: 400,
      userMessage: "This model cannot call tools. Remove the tools, or choose a model that can.",
    },
    model_not_allowed: {
      status: 403,
      userMessage: "This key may not use that model. Use one from the key's list, or have the model added to it.",
    },
    model_not_configured: {
      status: 404,
      userMessage: "No supplier is set up for this model. Ask the administrator to add one, or use another model.",
    },
    model_not_found: {
      status: 404,
      userMessage: "There is no model with this id. Look it up in the list of models; upper and lower case matter.",
    },
    no_domain: { status: 409, userMessage: "Your organisation has no domain yet. Add one in its settings first." },
    no_providers_available: {
      status: 503,
      retry: "wait",
      retryAfterSeconds: 10,
      userMessage:
        "No supplier for this model can take requests at the moment. Retry after the time in Retry-After, or use another model.",
    },
    no_reseller: { status: 404, userMessage: "No reseller uses this address. Check the portal’s address." },
    not_found: { status: 404, userMessage: "Not found. Check the path and the ID." },
    not_implemented: { status: 501, userMessage: "This is not offered yet. The API description lists what is." },
    operation_in_progress: {
      status: 409,
      retry: "same_key",
      retryAfterSeconds: 2,
      userMessage:
        "A request with this Idempotency-Key is still running. Wait for it to end, then ask again with the same key.",
    },
    origin_not_allowed: {
      status: 403,
      userMessage: "Pages of this site may not call here. Have the site added to the allowed origins.",
    },
    pod_draining: {
      status: 503,
      retry: "wait",
      retryAfterSeconds: 1,
      userMessage: "This server is being restarted and takes no new requests. Send the request again at once.",
    },
    provider_response_too_large: {
      status: 502,
      userMessage: "The supplier's answer is larger than allowed and was stopped. Ask for a shorter one.",
    },
    request_rejected: {
      status: 400,
      userMessage: "The request was refused because of its content. Change what the message names.",
    },
    request_too_large: {
      status: 413,
      userMessage: "The request is larger than allowed. Shorten the messages, or send large files separately.",
    },
    result_too_large: {
      status: 413,
      userMessage: "The result is larger than can be returned. Narrow the range or the filter.",
    },
    sso_only: {
      status: 403,
      userMessage: "Your organisation uses its own identity provider. Sign in with that instead of a password.",
    },
    tos_not_accepted: {
      status: 403,
      userMessage: "The current terms are not accepted yet. Sign in to the portal and accept them.",
    },
    unsupported_auto_mode: {
      status: 400,
      userMessage: "This mode of automatic choice does not exist. Use auto, or name a model.",
    },
    unsupported_autorouter_algorithm: {
      status: 400,
      userMessage: "This method of choosing a model is not known. Choose one of those in the autorouter's settings.",
    },
    unsupported_media_type: {
      status: 415,
      userMessage: "The body has a type this address does not read. Set Content-Type as the API description says.",
    },
    unsupported_parameter: {
      status: 400,
      userMessage: "A parameter is not supported with this model. Remove the one that is named.",
    },
    user_not_found: {
      status: 404,
      userMessage: "There is no such user. The account may have been removed, or belong to another organisation.",
    },
    validation_error: { status: 422, userMessage: "Some values are not valid. Correct the fields that are named." },
    vendorc_http_error: {
      status: 502,
      userMessage: "The aggregator behind this model refused the request. Its own status and message say why.",
    },
    weak_password: {
      status: 422,
      userMessage: "This password is too easy to guess. Use at least 10 characters, for example several words.",
    },
  },
} as const satisfies Readonly<Record<ErrorGroup, Readonly<Record<string, CatalogueRow>>>>;
