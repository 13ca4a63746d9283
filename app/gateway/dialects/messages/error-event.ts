import type { StreamProblem } from "../dialect";

/** Returns the event that ends a broken stream. SDKs raise a typed error for it, and coding agents retry. */
export function errorEvent({ code, type, message, humanMessage, gatewayCode }: StreamProblem): Buffer {
  const knownType = KNOWN.has(type) ? type : "api_error";
  const error = { type: knownType, message, code, human_message: humanMessage, gateway_code: gatewayCode };
  return Buffer.from(`event: error\ndata: ${JSON.stringify({ type: "error", error })}\n\n`);
}

/** Error types that this dialect defines for a request in flight. */
const KNOWN = new Set([
  "api_error",
  "overloaded_error",
  "rate_limit_error",
  "timeout_error",
  "invalid_request_error",
  "permission_error",
  "billing_error",
  "not_found_error",
  "request_too_large",
]);
