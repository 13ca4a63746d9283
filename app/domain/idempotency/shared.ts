/** A request with an Idempotency-Key. These keys are scoped to one API key, so two applications never share one. */
export type ClaimRequest = {
  keyId: number;
  organisationId: number;
  idempotencyKey: string;
  /** SHA-256 of the parts that identify the same request. */
  requestHash: Buffer;
  /** The id of the call that claims the key; its hold gets the same id. */
  callId: string;
};

/** Retention of answers in hours, and maximum time for which a claim without an answer blocks its key. */
export const KEPT_HOURS = 24;

/** A request of the management API with an Idempotency-Key. */
export type ManagedRequest = Omit<ClaimRequest, "callId">;

export type ManagedResult =
  | { kind: "answered" | "repeated"; answer: string }
  | { kind: "conflict" }
  /** The key was released at the same time. */
  | { kind: "inProgress" }
  | { kind: "tooMany" };

/** The result of the first request with a key, for repeated requests. */
export type StoredAnswer =
  | {
      kind: "given";
      /** The answer was a stream: its usage headers, if any, are among the other headers. */
      stream: boolean;
      status: number;
      headers: Record<string, string>;
      /** UTF-8 text, or base64 if the answer is not valid UTF-8. */
      body: string;
      encoding: "utf8" | "base64";
    }
  /** The answer cannot be repeated: it was too large, or it broke off in a format that cannot report this. */
  | { kind: "too_large" }
  | { kind: "broken" };

export type ClaimResult =
  /** The key was free, or its call was not executed; the caller has it now. */
  | { kind: "claimed" }
  | { kind: "conflict" }
  /** Another call is in progress, or it is not known yet whether it was executed (`unknown`). */
  | { kind: "inProgress"; unknown: boolean }
  /** The call was executed and charged, but its answer is lost. */
  | { kind: "lost" }
  /** `settlement` is the settlement of the call; `chargedNanoUsd` is null until it is posted. */
  | { kind: "answered"; callId: string; answer: StoredAnswer; settlement: string; chargedNanoUsd: bigint | null };
