import type { CatalogueRow } from "./catalogue-entry";

const CREDENTIAL_ROWS = {
  auth_context_denied: {
    status: 401,
    userMessage: "You can’t use this sign-in here. Sign in again from the page or app you are using.",
  },
  auth_issue: {
    status: 401,
    userMessage:
      "There is a problem with your sign-in. Sign in again, or ask your administrator to check your account.",
  },
  authentication: {
    reserved: "sessions",
    status: 401,
    userMessage: "You could not be identified. Check the key or sign in again.",
  },
  authentication_required: {
    status: 401,
    userMessage: "Sign in to see this page.",
  },
  claim_expired: {
    reserved: "remote_work",
    status: 401,
    userMessage: "The claim attached to this request has run out. Fetch a new one and send the request with it.",
  },
  vendorb_token_error: {
    status: 401,
    userMessage:
      "The native-agent sign-in behind this request was refused. Ask the administrator to connect that account again.",
  },
  expired_api_key: {
    status: 401,
    userMessage: "This API key has expired. Create a new key or have its expiry date extended.",
  },
  expired_client_secret: {
    reserved: "client_secrets",
    status: 401,
    userMessage: "This client secret has expired. Ask your server for a new one before connecting.",
  },
  free_token_grant_create_failed: {
    reserved: "grants",
    status: 403,
    userMessage: "The free tokens could not be granted with these credentials. Ask an administrator to grant them.",
  },
  free_token_grant_update_failed: {
    reserved: "grants",
    status: 403,
    userMessage: "The free-token grant could not be changed with these credentials. Ask an administrator to change it.",
  },
  invalid_api_key: {
    status: 401,
    userMessage: "This API key is not valid. Check that it was copied completely, or create a new one.",
  },
  invalid_credentials: {
    status: 401,
    userMessage: "The email address or password is incorrect. Check both, or reset your password.",
  },
  invalid_session: {
    reserved: "sessions",
    status: 401,
    userMessage: "Your session is no longer valid. Sign in again.",
  },
  invalid_token: {
    status: 401,
    userMessage: "This link or token is no longer valid. Request a new one.",
  },
  lease_expired_or_unknown: {
    reserved: "remote_work",
    status: 401,
    userMessage: "The lease for this work has ended or was never given. Take the work again from the queue.",
  },
  missing_api_key: {
    status: 401,
    userMessage: "No API key was sent. Put it in the Authorization header: Bearer, a space, then the key.",
  },
  missing_session_key: {
    reserved: "sessions",
    status: 401,
    userMessage: "The session's key is missing. Start the session again and keep the key it returns.",
  },
  model_vendora_code_unauthorized: {
    reserved: "agents_hosted",
    status: 401,
    userMessage: "The coding agent's account does not accept this request. Have that account connected again.",
  },
  session_collision: {
    reserved: "sessions",
    status: 401,
    userMessage: "This session is already used by someone else. Sign in again to get a session of your own.",
  },
  session_limit: {
    reserved: "sessions",
    status: 401,
    userMessage: "There are too many open sessions for this account. Sign out somewhere else, then sign in here.",
  },
  session_too_large: {
    reserved: "sessions",
    status: 401,
    userMessage: "The session holds more than it may. Sign out and in again to start with a fresh one.",
  },
  unauthenticated: {
    reserved: "sessions",
    status: 401,
    userMessage: "You are not signed in. Sign in, then do this again.",
  },
  unauthorized: {
    reserved: "sessions",
    status: 401,
    userMessage: "These credentials do not open this. Use a key or an account that may do it.",
  },
} as const satisfies Readonly<Record<string, CatalogueRow>>;

const POLICY_ROWS = {
  account_status: {
    status: 403,
    userMessage: "This account is suspended or archived. Ask an admin to reactivate it.",
  },
  atomic_canary_forbidden: {
    reserved: "test_requests",
    status: 403,
    userMessage: "Paid test requests are not allowed for this account. Ask an administrator to enable them.",
  },
  client_secret_scope_mismatch: {
    reserved: "client_secrets",
    status: 403,
    userMessage: "This client secret was made for other uses. Create one with the scope you need.",
  },
  vendorb_org_context_required: {
    reserved: "agents_hosted",
    status: 403,
    userMessage: "Native-agent requests need an organisation. Use a key that belongs to one.",
  },
  vendorb_org_lane_disabled: {
    reserved: "agents_hosted",
    status: 403,
    userMessage: "Native agents are switched off for your organisation. Ask its administrator to switch them on.",
  },
  document_conversion_provider_policy_invalid: {
    reserved: "documents",
    status: 403,
    userMessage: "The organisation's rule for document conversion is not usable. Have its administrator correct it.",
  },
  fake_adapter_forbidden: {
    reserved: "test_requests",
    status: 403,
    userMessage: "Stand-in suppliers may not be used here. Choose a real supplier.",
  },
  forbidden: {
    status: 403,
    userMessage: "You don’t have permission to do this. Ask an admin of your organisation for access.",
  },
  model_not_accessible: {
    reserved: "model_choice",
    status: 403,
    userMessage: "Your account has no access to this model. Choose another one, or ask for access to it.",
  },
  origin_required: {
    reserved: "client_secrets",
    status: 403,
    userMessage:
      "The request does not say which site it comes from. Send it from a browser page with an Origin header.",
  },
  permission_denied: {
    status: 403,
    userMessage: "Your role does not include this action. Ask someone with a higher role to do it or to raise yours.",
  },
  pin_forbidden: {
    reserved: "routes",
    status: 403,
    userMessage: "You may not choose the supplier route yourself. Leave the choice out of the request.",
  },
  provider_redirect_forbidden: {
    status: 403,
    userMessage:
      "The supplier tried to send this request to another address, which is not allowed. Have its address corrected.",
  },
  proxy_event_ingest_disabled: {
    reserved: "remote_work",
    status: 403,
    userMessage: "Events of proxies are not accepted here. An administrator can switch this on.",
  },
  realtime_transport_required: {
    reserved: "realtime",
    status: 403,
    userMessage: "This model works in realtime calls only. Open a realtime call instead of sending a plain request.",
  },
  replacement_required: {
    reserved: "publications",
    status: 403,
    userMessage: "This has been replaced and may not be used any more. Use its replacement.",
  },
  requester_bridge_disabled: {
    reserved: "bridges",
    status: 403,
    userMessage: "The requester bridge is switched off for this account. Ask an administrator to switch it on.",
  },
  streaming_settlement_required: {
    reserved: "settlement",
    status: 403,
    userMessage: "Streams of this model need exact settlement, which is not set up. Ask for the whole answer instead.",
  },
  webchat_key_scope: {
    reserved: "client_secrets",
    status: 403,
    userMessage: "This key is meant for the chat page only. Create an API key for your application.",
  },
} as const satisfies Readonly<Record<string, CatalogueRow>>;

const PAYER_ROWS = {
  byok_budget_unknown: {
    reserved: "own_supplier_keys",
    status: 403,
    userMessage: "The budget for your own supplier key is not known. Ask the billing administrator to set it.",
  },
  payment_required: {
    reserved: "payment",
    status: 402,
    userMessage: "This needs a payment first. Add funds or a payment method, then try again.",
  },
} as const satisfies Readonly<Record<string, CatalogueRow>>;

/** The groups of codes for a missing credential, permission or payer. */
export const ACCESS_ROWS = { A: CREDENTIAL_ROWS, P: POLICY_ROWS, B: PAYER_ROWS } as const;
