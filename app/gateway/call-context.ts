import type { Caller } from "~/domain/keys/shared";
import { headerOf } from "~/http/server/connection";
import type { Call } from "./call-record";
import type { InferenceRequest } from "./canonical/inference-request";
import type { Dialect } from "./dialects/dialect";
import type { Claim } from "./idempotency/claim";

/**
 * A call after its request has been parsed: the caller, the request and the dialect. All later stages receive it and
 * none changes it.
 */
export type CallContext = {
  readonly call: Call;
  readonly caller: Caller;
  readonly inference: InferenceRequest;
  readonly dialect: Dialect;
  /** Session id from the client's header or body; null if the client names none. */
  readonly sessionId: string | null;
  /** Claim on the request's Idempotency-Key, owned by this call; null if the request has none. */
  readonly claim: Claim | null;
};

/** Returns the client's session id: from the header, else from the body's two fields. */
export function sessionIdOf(request: Request, inference: InferenceRequest): string | null {
  const value = headerOf(request, "x-session-id");
  return value === null || value === "" ? inference.sessionId : value.slice(0, 256);
}
