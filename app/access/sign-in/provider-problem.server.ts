import type { Provider } from "~/domain/accounts/shared";
import { AppError, apiError } from "~/errors/app-error";
import type { MessageKey } from "~/errors/message";
import { log } from "~/observe/log.server";
import { addressIn, isBeyondAscii } from "./provider-claims";

/** Maximum lag of a provider's clock behind ours. */
const CLOCK_MS = 180_000;

type Told = { key: MessageKey; isAway?: boolean };
const REFUSED: Told = { key: "problems:providerRefused" };
const MISCONFIGURED: Told = { key: "problems:providerMisconfigured" };
const AWAY: Told = { key: "problems:providerAway", isAway: true };

/** Messages by `error` of OAuth 2 and OpenID Connect, and by GitHub's own codes. */
const ERRORS: Readonly<Record<string, Told>> = {
  access_denied: REFUSED,
  login_required: REFUSED,
  interaction_required: REFUSED,
  consent_required: REFUSED,
  account_selection_required: REFUSED,
  temporarily_unavailable: AWAY,
  server_error: AWAY,
  invalid_client: MISCONFIGURED,
  unauthorized_client: MISCONFIGURED,
  invalid_request: MISCONFIGURED,
  invalid_scope: MISCONFIGURED,
  unsupported_response_type: MISCONFIGURED,
  unsupported_grant_type: MISCONFIGURED,
  redirect_uri_mismatch: MISCONFIGURED,
  incorrect_client_credentials: MISCONFIGURED,
  invalid_grant: { key: "problems:providerAnswer" },
};

/** Errors of `openid-client` that a retry cannot resolve. */
const LASTING_CODES = new Set(["OAUTH_UNSUPPORTED_OPERATION", "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED"]);

/** A setting that cannot work with its provider; the message is for the operator. */
export class ProviderMisconfigured extends Error {
  override readonly name = "ProviderMisconfigured";
}

/** Returns the error for a browser that returns from a provider with an invalid response. */
export function answerProblem(provider: Provider, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const details = wordsOf(error);
  if (isUnreachable(error)) return away(provider, error, details);
  log.warn({ provider, problem: details }, "an answer of an identity provider was refused");
  const { key, isAway } = messageFor(error, details);
  return apiError(isAway ? "service_unavailable" : "auth_issue", { key, cause: error });
}

/** Returns the error while a provider's discovery document is unavailable. */
export function providerAway(provider: Provider, error: unknown): AppError {
  const details = wordsOf(error);
  if (!(error instanceof ProviderMisconfigured)) return away(provider, error, details);
  log.error({ provider, problem: details }, "an identity provider is not set up correctly");
  return apiError("service_unavailable", { key: MISCONFIGURED.key, cause: error });
}

/**
 * Logs a provider's error for a sign-in that may not have started here, such as one without `state`. Does not show it:
 * any site can send a browser here with any text.
 */
export function logStrayAnswer(provider: Provider, { searchParams }: URL): void {
  const error = searchParams.get("error");
  if (error === null) return;
  const problem = wordsOf({ error, error_description: searchParams.get("error_description") });
  log.warn(
    { provider, problem },
    "an identity provider ended a sign-in that was not begun in this browser, or long ago",
  );
}

/**
 * Returns a person's email address from a provider, in the form of accounts.
 * @throws AppError missing_email
 */
export function requireAddress(emailAddress: unknown): string {
  const address = addressIn(emailAddress);
  if (address !== null) return address;
  const key = isBeyondAscii(emailAddress) ? "problems:providerEmailBeyondAscii" : "problems:providerNoEmail";
  throw apiError("missing_email", { key });
}

/**
 * Requires that a person signed in at the provider since `since` (milliseconds), according to the provider's response:
 * the request for a new sign-in proves nothing, and an existing session there shows only that it is their browser.
 * @throws AppError auth_issue
 */
export function requireProvedSince(provedAt: Date | null, since: number): void {
  if (provedAt !== null && provedAt.getTime() >= since - CLOCK_MS) return;
  throw apiError("auth_issue", {
    key: "problems:providerProvesNothing",
  });
}

function away(provider: Provider, error: unknown, details: Words): AppError {
  log.warn({ provider, problem: details }, "an identity provider cannot be reached");
  return apiError("service_unavailable", { key: AWAY.key, cause: error });
}

function messageFor(problem: unknown, { error, algorithm }: Words): Told {
  if (error !== undefined) return ERRORS[error] ?? REFUSED;
  const { code, status } = problem as { code?: string; status?: number };
  const isLasting =
    problem instanceof ProviderMisconfigured ||
    LASTING_CODES.has(code ?? "") ||
    status === 401 ||
    algorithm !== undefined;
  return isLasting ? MISCONFIGURED : { key: "problems:providerAnswer" };
}

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: string };
  return error instanceof TypeError || code === "OAUTH_TIMEOUT" || error.name === "TimeoutError";
}

type Words = ReturnType<typeof wordsOf>;

const MAX_WORDS = 500;
const line = (value: unknown): string | undefined =>
  typeof value === "string" ? value.replace(/\p{Cc}+/gu, " ").slice(0, MAX_WORDS) : undefined;

/**
 * Collects the messages of the error and of the provider for the log; never the response itself, which contains codes
 * and tokens.
 */
function wordsOf(problem: unknown) {
  const { name, code, message, status, error, error_description, description, cause } = (problem ?? {}) as Foreign;
  return {
    code,
    message,
    status: typeof status === "number" ? status : undefined,
    // Errors that return by the browser have their OAuth 2 code in `code`, where other errors have a code of the
    // library.
    error: line(error) ?? (name === "OAuth2RequestError" ? code : undefined) ?? undefined,
    error_description: line(error_description) ?? line(description),
    cause: connectionFault(cause),
    claim: claimFault(cause),
    algorithm: algorithmIn(cause),
  };
}

type Foreign = {
  name?: string;
  code?: string;
  message?: string;
  status?: unknown;
  error?: unknown;
  error_description?: unknown;
  description?: unknown;
  cause?: unknown;
};

/** Returns the reason of a failed connection, such as an unknown host name or an untrusted certificate. */
function connectionFault(cause: unknown): string | undefined {
  const { code, message, name } = (cause ?? {}) as { code?: unknown; message?: unknown; name?: unknown };
  if (typeof code !== "string" || code.startsWith("OAUTH_") || name === "OperationProcessingError") return undefined;
  return [code, line(message)].filter(Boolean).join(": ");
}

/** Returns the invalid claim of a token, and the deviation of a time; with values only if they are not secret. */
function claimFault(cause: unknown): object | undefined {
  for (
    let at = cause as { cause?: unknown } | undefined, depth = 0;
    at && depth < 4;
    at = at.cause as never, depth += 1
  ) {
    const { claim, claims, expected, now } = at as ClaimFault;
    if (typeof claim !== "string") continue;
    const value = claims?.[claim];
    if (typeof now === "number" && typeof value === "number") return { claim, secondsFromOurClock: value - now };
    return claim === "iss" || claim === "aud" ? { claim, value: line(value) ?? value, expected } : { claim };
  }
  return undefined;
}

/**
 * Returns the signature algorithm that gw does not support or the provider does not announce, such as one with the
 * client secret.
 */
function algorithmIn(cause: unknown): string | undefined {
  const { alg, header, expected } = ((cause as { cause?: unknown } | null)?.cause ?? {}) as SignatureFault;
  return line(alg ?? (expected === undefined ? undefined : header?.alg));
}

type SignatureFault = { alg?: unknown; header?: { alg?: unknown }; expected?: unknown };
type ClaimFault = { claim?: unknown; claims?: Record<string, unknown>; expected?: unknown; now?: unknown };
