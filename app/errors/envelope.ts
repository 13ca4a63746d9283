import { type AppError, apiError, type ErrorDetails, toAppError } from "./app-error";
import type { ErrorType } from "./catalogue-entry";
import { formatMessage } from "./formatted-message";

export { formatMessage, splitFormatted } from "./formatted-message";

/** The style of the client library that reads the error. */
export type ErrorDialect = "chat" | "messages";

export type ErrorEnvelope = {
  type?: "error";
  error: { code: string; type: string; message: string; human_message: string; param?: string; details?: ErrorDetails };
};

/** Returns the envelope of an error, ready for JSON; also used as the data of an error event in a stream. */
export function errorEnvelope(problem: unknown, dialect: ErrorDialect = "chat"): ErrorEnvelope {
  const error = toAppError(problem);
  const fields: ErrorEnvelope["error"] = {
    code: error.code,
    type: dialect === "messages" ? messagesType(error.ownType) : error.type,
    message: formatMessage(error.code, error.humanMessage),
    human_message: error.humanMessage,
  };
  if (error.param !== null) fields.param = error.param;
  // A supplier's details are in the format of the messages style.
  const details = error.details ?? (dialect === "messages" ? error.supplierDetails : null);
  if (details !== null) fields.details = details;
  if (dialect !== "messages") return { error: fields };
  return { type: "error", error: fields };
}

/** Returns the headers of an error: Retry-After if it has a time, `x-should-retry: false` if a retry is useless. */
export function errorHeaders(error: AppError): Record<string, string> {
  const headers: Record<string, string> = { "content-type": "application/json", "cache-control": "no-store" };
  if (error.retryAfterSeconds !== null) headers["retry-after"] = String(error.retryAfterSeconds);
  if (!error.mayRetry) headers["x-should-retry"] = "false";
  return headers;
}

/**
 * Returns the gateway's response to any thrown value. An AppError determines its response; every other value becomes
 * `internal_error` without the original message, which the caller must log.
 */
export function gatewayErrorResponse(problem: unknown, dialect: ErrorDialect = "chat"): Response {
  const error = toAppError(problem);
  return new Response(JSON.stringify(errorEnvelope(error, dialect)), {
    status: error.status,
    headers: errorHeaders(error),
  });
}

/** Returns the gateway's response to an unsupported method; with its own request id, because no call begins. */
export function methodNotAllowedResponse(allowed: readonly string[], dialect: ErrorDialect = "chat"): Response {
  const error = apiError("method_not_allowed");
  const headers = { ...errorHeaders(error), allow: allowed.join(", "), "x-request-id": crypto.randomUUID() };
  return new Response(JSON.stringify(errorEnvelope(error, dialect)), { status: error.status, headers });
}

/**
 * Returns the portal's body of an error: the fields of `own`, such as `error` or `detail`, and `code`, `message` and
 * `human_message`.
 */
export function portalErrorBody<Own extends Readonly<Record<string, unknown>>>(
  problem: unknown,
  own?: Own,
): Own & { code: string; message: string; human_message: string } {
  const error = toAppError(problem);
  return {
    ...(own as Own),
    code: error.code,
    message: formatMessage(error.code, error.humanMessage),
    human_message: error.humanMessage,
  };
}

/** Returns the portal's JSON response to any thrown value; with the same guarantees as `gatewayErrorResponse`. */
export function portalErrorResponse(problem: unknown, own?: Readonly<Record<string, unknown>>): Response {
  const error = toAppError(problem);
  return new Response(JSON.stringify(portalErrorBody(error, own)), {
    status: error.status,
    headers: errorHeaders(error),
  });
}

// Libraries of the messages style accept only a shorter list of types.
const MESSAGES_TYPES: Partial<Record<ErrorType, string>> = { conflict_error: "invalid_request_error" };

function messagesType(type: ErrorType): string {
  return MESSAGES_TYPES[type] ?? type;
}
