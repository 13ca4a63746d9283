import type { ErrorCode } from "./catalogue";
import type { MessageKey } from "./message";

/** Translated messages of the codes that can appear on portal pages. */
const KEY_OF_CODE: Partial<Record<ErrorCode, MessageKey>> = {
  account_status: "problems:accountStatus",
  auth_context_denied: "problems:authContextDenied",
  auth_issue: "problems:authIssue",
  auth_unavailable: "problems:authUnavailable",
  authentication_required: "problems:authenticationRequired",
  billing_limit_reached: "problems:billingLimit",
  billing_unavailable: "problems:billingUnavailable",
  capacity_exceeded: "problems:capacityExceeded",
  conflict: "problems:conflict",
  csrf_rejected: "problems:csrfRejected",
  email_not_verified: "problems:emailNotVerified",
  email_taken: "problems:emailTaken",
  forbidden: "problems:forbidden",
  internal_error: "problems:internalError",
  invalid_credentials: "problems:invalidCredentials",
  invalid_input: "problems:invalidInput",
  invalid_json: "problems:invalidJson",
  invalid_request: "problems:invalidRequest",
  invalid_token: "problems:invalidToken",
  method_not_allowed: "problems:methodNotAllowed",
  missing_email: "problems:enterEmail",
  model_not_found: "problems:modelNotFound",
  no_domain: "problems:noDomain",
  no_reseller: "problems:noReseller",
  not_found: "problems:notFound",
  permission_denied: "problems:permissionDenied",
  rate_limit_exceeded: "problems:rateLimitExceeded",
  request_timeout: "problems:requestTimeout",
  request_too_large: "problems:requestTooLarge",
  service_unavailable: "problems:serviceUnavailable",
  sso_only: "problems:ssoOnly",
  tos_not_accepted: "problems:tosNotAccepted",
  unsupported_media_type: "problems:unsupportedMediaType",
  user_not_found: "problems:userNotFound",
  validation_error: "problems:validationError",
  weak_password: "problems:weakPassword",
};

/** Returns the message of a code; a general one for codes that never appear on a page. */
export const keyOfCode = (code: ErrorCode): MessageKey => KEY_OF_CODE[code] ?? "problems:refused";
