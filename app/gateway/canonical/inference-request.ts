import type { Hash } from "node:crypto";
import type { AskedTier } from "~/domain/pricing/shared";
import type { DialectName } from "./exchange";
import type { Guarded } from "./guarded";

/** A client's request, parsed and validated once. Later stages trust it. `Source`: known only to its dialect. */
export type InferenceRequest<Source = unknown> = {
  dialect: DialectName;
  /** Endpoint name in logs, such as "chat/completions". */
  endpoint: string;
  requestedModel: string;
  stream: boolean;
  /** The call's own region restriction; null if it has none. */
  region: string | null;
  sessionId: string | null;
  size: RequestSize;
  /**
   * Sending the request twice stores nothing at a supplier, so an attempt with an unknown outcome may be repeated at
   * another one.
   */
  retrySafe: boolean;
  /** The client's body with what the dialect derived from it; only that dialect reads it. */
  source: Source;
  /** Hashes the non-text part of the request. Called only for requests with an Idempotency-Key. */
  digest?(hash: Hash): Promise<void>;
  /** Frees the disk space and other resources of the body. Called when the call is over; may be repeated. */
  release?(): void;
};

/** A request after its guardrails. Bodies for suppliers are written only from this type. */
export type GuardedRequest = InferenceRequest & Guarded;

/** Bounds of a request's price, known before it is sent. */
type RequestSize = {
  /** UTF-8 length of the body; an upper bound of its tokens. */
  bodyBytes: number;
  /** The body carries images, audio or files, whose tokens do not depend on its length. */
  hasMedia: boolean;
  /** The client's maximum output tokens per answer; null if it set none. */
  maxOutputTokens: number | null;
  /** Number of requested answers (`n`). */
  choices: number;
  /** Maximum input tokens, if neither the body's length nor the model's context window bounds them. */
  maxInputTokens?: number;
  /** Text to speak, in code points. */
  characters?: number;
  /** Estimated and maximum duration of a sound file. */
  milliseconds?: number;
  maxMilliseconds?: number;
  /** Maximum number of a supplier's own requests that this one can cause; absent means one. */
  maxRequests?: number;
  /** The input is more than the body: results of the supplier's own tools, or a conversation that it stores. */
  readsMore?: boolean;
  /** Maximum uses of tools that the supplier runs and bills by use; absent if none is offered. */
  maxToolUses?: number;
  /** Tools without a price are dropped from the request. */
  toolsAreOptional?: true;
  /** The requested service tier; absent if the supplier chooses. */
  askedTier?: AskedTier;
  /** The supplier may cache parts of the request for an hour, which has its own price. */
  longCacheWrites?: boolean;
};
