import type { Caller } from "~/domain/keys/shared";
import { headerOf } from "~/http/connection";
import type { Call } from "./call-record";
import type { InferenceRequest } from "./canonical/inference-request";
import type { Dialect } from "./dialects/dialect";
import type { Claim } from "./idempotency/claim";

/** What is known of a call once its request is read: who asks for what. Every stage behind that takes it and changes nothing of it. */
export type CallContext = {
  readonly call: Call;
  readonly caller: Caller;
  readonly inference: InferenceRequest;
  readonly dialect: Dialect;
  /** The session that the client names, by the header or in the body; null when it names none. */
  readonly sessionId: string | null;
  /** The Idempotency-Key in its hands; null when the request has none. */
  readonly claim: Claim | null;
};

/** The session that a client names: the header, before the body's two fields. */
export function sessionIdOf(request: Request, inference: InferenceRequest): string | null {
  const value = headerOf(request, "x-session-id");
  return value === null || value === "" ? inference.sessionId : value.slice(0, 256);
}
