import type { Hash } from "node:crypto";
import type { AskedTier } from "~/domain/metering/index.server";
import type { DialectName } from "./exchange";
import type { Guarded } from "./guarded";

/** What a client asks for, read once at the door. Every stage behind `read` trusts it. */
export type InferenceRequest = {
  dialect: DialectName;
  /** The URL's name in logs, such as "chat/completions". */
  endpoint: string;
  requestedModel: string;
  stream: boolean;
  /** The per-call region restriction; null when the call has none of its own. */
  region: string | null;
  sessionId: string | null;
  size: RequestSize;
  /** Sending it twice leaves nothing behind at a supplier (no stored object): an attempt of unknown outcome may be repeated elsewhere. */
  retrySafe: boolean;
  /** The client's body with what the dialect learned about it; only the dialect that read it looks inside. */
  source: unknown;
  /** Hashes what the client sent, where that is no text. Called for requests with an Idempotency-Key only. */
  digest?(hash: Hash): Promise<void>;
  /** Gives back what the body occupies outside memory. Called once the call is over; repeats safely. */
  release?(): void;
};

/** A request as its guardrails let it go on: from nothing else is a body for a supplier written. */
export type GuardedRequest = InferenceRequest & Guarded;

/** What bounds the price of a request before anybody has worked on it. */
type RequestSize = {
  /** UTF-8 length of the body: no tokenizer makes more tokens of a text than it has bytes. */
  bodyBytes: number;
  /** The body carries images, audio or files, whose tokens have nothing to do with its length. */
  hasMedia: boolean;
  /** The client's own ceiling for one answer; null when it set none. */
  maxOutputTokens: number | null;
  /** How many answers are asked for (`n`). */
  choices: number;
  /** The most input tokens, where neither the body's length nor the model's window says it. */
  maxInputTokens?: number;
  /** Text to speak, in code points. */
  characters?: number;
  /** How long a sound file seems to be, and how long it could be at most. */
  milliseconds?: number;
  maxMilliseconds?: number;
  /** The most requests a supplier can make of this one; absent: one. */
  maxRequests?: number;
  /** More goes in than the body holds: what the supplier's own tools find, or a conversation that it keeps. */
  readsMore?: boolean;
  /** The most uses of tools that the supplier runs and bills by use; absent: none is offered. */
  maxToolUses?: number;
  /** Those tools are left out where they have no price. */
  toolsAreOptional?: true;
  /** The tier of service that is asked for; absent: the supplier chooses. */
  askedTier?: AskedTier;
  /** Parts of it may be kept in the supplier's cache for an hour, at a price of their own. */
  longCacheWrites?: boolean;
};
