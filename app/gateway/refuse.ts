import { AppError } from "~/errors/app-error";
import { gatewayErrorResponse } from "~/errors/envelope";
import { log } from "~/observe/log.server";
import type { Attempts } from "./call";
import { CLIENT_LEFT } from "./call/supplier-error";
import { DIALECTS } from "./canonical/dialects";
import type { Dialect } from "./dialects/dialect";
import { endCall, type Known } from "./log/log-call";
import { recordRejection } from "./log/rejection-log";

/** Ends a call that is not answered: builds the error response in its dialect's envelope and records the rejection. */
export function refuse(known: Known & { dialect: Dialect; attempts: Attempts }, error: unknown): Response {
  const { call, dialect, attempts } = known;
  const response = gatewayErrorResponse(error, DIALECTS[dialect.name].errors);
  if (!(error instanceof AppError)) log.error({ call: call.id, err: error }, "unexpected problem in a call");
  else if (attempts.records.length === 0 && response.status !== CLIENT_LEFT) recordRejection(known, error);
  endCall(known, {
    status: response.status,
    route: null,
    settled: null,
    attempts,
    errorCode: response.status === CLIENT_LEFT ? null : error instanceof AppError ? error.code : "internal_error",
  });
  response.headers.set("x-request-id", call.id);
  response.headers.set("request-id", call.id);
  if (call.clientRequestId !== null) response.headers.set("x-client-request-id", call.clientRequestId);
  return response;
}
