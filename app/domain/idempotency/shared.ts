/** A request under an Idempotency-Key. Keys belong to one API key: two applications never meet in one. */
export type ClaimRequest = {
  keyId: number;
  organisationId: number;
  idempotencyKey: string;
  /** SHA-256 of what makes it the same request. */
  requestHash: Buffer;
  /** Of the call that wants to work on it; its hold gets the same id. */
  callId: string;
};

/** Answers are kept for so long, and a claim without an answer blocks its key no longer. */
export const KEPT_HOURS = 24;

/** A request of the management API under an Idempotency-Key. */
export type ManagedRequest = Omit<ClaimRequest, "callId">;

export type ManagedResult =
  | { kind: "answered" | "repeated"; answer: string }
  | { kind: "conflict" }
  /** The key went at the same moment. */
  | { kind: "inProgress" }
  | { kind: "tooMany" };

/** What the first request with a key left for those that repeat it. */
export type StoredAnswer =
  | {
      kind: "given";
      /** It was a stream: its usage headers, if any, are among the others. */
      stream: boolean;
      status: number;
      headers: Record<string, string>;
      /** UTF-8 text, or base64 where the answer is none. */
      body: string;
      encoding: "utf8" | "base64";
    }
  /** There was an answer that cannot be given again: it was too large, or broke in a format that cannot say so. */
  | { kind: "too_large" }
  | { kind: "broken" };

export type ClaimResult =
  /** Nobody has worked on it, or nobody got far enough: it is the caller's now. */
  | { kind: "claimed" }
  | { kind: "conflict" }
  /** Somebody works on it, or nobody knows yet whether somebody did (`unknown`). */
  | { kind: "inProgress"; unknown: boolean }
  /** It was carried out and charged, but its answer is lost. */
  | { kind: "lost" }
  /** `settlement` is the line that books it; null when that has been done, at `chargedNanoUsd`. */
  | { kind: "answered"; callId: string; answer: StoredAnswer; settlement: string; chargedNanoUsd: bigint | null };
