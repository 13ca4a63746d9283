import { type AppError, apiError, type ErrorDetails, toAppError } from "./app-error";
import type { ErrorType } from "./catalogue-entry";
import { formatMessage } from "./formatted-message";

export { formatMessage, splitFormatted } from "./formatted-message";

/** Whose client libraries read the error: those of the chat style, or those of the messages style. */
export type ErrorDialect = "chat" | "messages";

export type ErrorEnvelope = {
  type?: "error";
  error: { code: string; type: string; message: string; human_message: string; param?: string; details?: ErrorDetails };
};

/** The envelope of an error, ready for JSON; also the data of an error event inside a stream. */
export function errorEnvelope(problem: unknown, dialect: ErrorDialect = "chat"): ErrorEnvelope {
  const error = toAppError(problem);
  const fields: ErrorEnvelope["error"] = {
    code: error.code,
    type: dialect === "messages" ? messagesType(error.ownType) : error.type,
    message: formatMessage(error.code, error.humanMessage),
    human_message: error.humanMessage,
  };
  if (error.param !== null) fields.param = error.param;
  // What a supplier adds is written for libraries of the messages style.
  const details = error.details ?? (dialect === "messages" ? error.supplierDetails : null);
  if (details !== null) fields.details = details;
  if (dialect !== "messages") return { error: fields };
  return { type: "error", error: fields };
}

/** Status and headers of an error: Retry-After where there is a time, `x-should-retry: false` where repeating is no use. */
export function errorHeaders(error: AppError): Record<string, string> {
  const headers: Record<string, string> = { "content-type": "application/json", "cache-control": "no-store" };
  if (error.retryAfterSeconds !== null) headers["retry-after"] = String(error.retryAfterSeconds);
  if (!error.mayRetry) headers["x-should-retry"] = "false";
  return headers;
}

/**
 * The gateway's answer to any thrown thing. An AppError is answered as it says; everything else is `internal_error`
 * without a word of the original, which the caller has to log.
 */
export function gatewayErrorResponse(problem: unknown, dialect: ErrorDialect = "chat"): Response {
  const error = toAppError(problem);
  return new Response(JSON.stringify(errorEnvelope(error, dialect)), {
    status: error.status,
    headers: errorHeaders(error),
  });
}

/** The gateway's answer to a method that an address does not take; with an id of its own, because no call begins. */
export function methodNotAllowedResponse(allowed: readonly string[], dialect: ErrorDialect = "chat"): Response {
  const error = apiError("method_not_allowed");
  const headers = { ...errorHeaders(error), allow: allowed.join(", "), "x-request-id": crypto.randomUUID() };
  return new Response(JSON.stringify(errorEnvelope(error, dialect)), { status: error.status, headers });
}

/** The portal's body for an error: its own `error` or `detail` fields stay, `code`, `message` and `human_message` join them. */
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

/** The portal's JSON answer to any thrown thing; the same promises as `gatewayErrorResponse`. */
export function portalErrorResponse(problem: unknown, own?: Readonly<Record<string, unknown>>): Response {
  const error = toAppError(problem);
  return new Response(JSON.stringify(portalErrorBody(error, own)), {
    status: error.status,
    headers: errorHeaders(error),
  });
}

// Libraries of the messages style know a shorter list of types, and none beside it.
const MESSAGES_TYPES: Partial<Record<ErrorType, string>> = { conflict_error: "invalid_request_error" };

function messagesType(type: ErrorType): string {
  return MESSAGES_TYPES[type] ?? type;
}
