import type { Route, ServiceTier } from "~/domain/catalogue/shared";
import type { GuardrailHit } from "~/domain/guardrails/shared";
import type { AppError } from "~/errors/app-error";
import type { ParsedJson } from "~/http/parse-json";
import type { BodySource, DialectName } from "../canonical/exchange";
import type { InferenceRequest } from "../canonical/inference-request";
import type { RoutingHints } from "../canonical/routing-hints";
import type { SupplierFailure } from "../canonical/supplier-failure";
import type { Usage } from "../canonical/usage";

/** A client-facing wire format: how a request is read, and how errors and estimates look in it. */
export interface Dialect {
  readonly name: DialectName;
  readonly endpoint: string;
  /** Checks a body, and parses it unless that has been done. @throws AppError with the code that names what is wrong. */
  read(body: string, parsed?: ParsedJson | null): InferenceRequest;
  /** For dialects whose body is no text: reads it from the request itself, instead of `read`. */
  readUpload?(request: Request): Promise<InferenceRequest>;
  /** Checks that take longer than reading, made once the request is admitted. */
  verify?(inference: InferenceRequest, countTokens: TokenCounter): Promise<void>;
  /**
   * Bytes of the error event that ends a stream in this dialect. Null where the format has no place for one: then the
   * connection is broken, so that nobody takes the end for the end.
   */
  errorEvent(problem: StreamProblem): Buffer | null;
  /** What fills the silence of a supplier in an event stream; absent: a comment line, which every reader skips. */
  readonly heartbeat?: Buffer;
  /** The headers of an answer that comes as a stream of bytes; absent: server-sent events. */
  streamHeaders?(inference: InferenceRequest): Record<string, string>;
  /** The text that went in, for an estimate when the supplier reports nothing. Not called on the normal path. */
  promptText(inference: InferenceRequest): string;
  /** About how many tokens go in beside that text: pictures, files and sound. Absent: none. */
  mediaTokens?(inference: InferenceRequest): number;
  /** Where the body states the most output of one answer. Absent where a request has no such ceiling. Called for refusals only. */
  outputCeiling?(inference: InferenceRequest, route: Route): OutputCeiling;
  /** What routing may know of the content. Called only when there is something to choose. */
  hints?(inference: InferenceRequest): RoutingHints;
}

/** The ceiling of output of one request, as its client would state another one. */
export type OutputCeiling = {
  /** The field that states it. */
  readonly field: string;
  /** How long the body were with another ceiling, written as the client writes JSON. */
  bodyBytesWith(tokens: number): number;
  /** The body with another ceiling, for `read`. */
  textWith(tokens: number): string;
};

/**
 * gw's own count of the tokens of one text of a request; counting stops at the first figure above `enough`. Null for what
 * is not counted, because the request has too many texts that are too long.
 */
export type TokenCounter = (text: string, enough?: number) => Promise<number | null>;

/**
 * The way between a client's dialect and a supplier's. Where both are the same it passes bytes through; else it
 * translates. Everything behind the calling stage works on translators and does not know which of the two it has.
 */
export interface Translator {
  /** The answer is one file that is brought as it comes, whether or not the client asked for a stream. */
  readonly bytes?: true;
  /**
   * The body for the supplier: gw's own fields removed, the model renamed. @throws AppError unsupported_parameter for
   * what the supplier's dialect cannot express.
   */
  forward(inference: InferenceRequest, route: Route): string | BodySource;
  /** Fields that only tune an answer and that `forward` leaves out for this supplier, by the client's names; absent: none. */
  leftOut?(inference: InferenceRequest, route: Route): readonly string[];
  /** The headers that go with that body, from the client's own by allow-list; lower-case names. */
  headers?(client: Headers): Record<string, string>;
  /** Understands a whole answer of a route's model. @throws SupplierFailure when it is not one. */
  readAnswer(inference: InferenceRequest, body: Buffer, route?: Route): WholeAnswer | Promise<WholeAnswer>;
  /** A supplier's refusal in words that the client's dialect has for it. */
  translateError?(failure: SupplierFailure): SupplierFailure;
  /** A reader for one streamed answer of a route's model. */
  openStream(inference: InferenceRequest, route?: Route): StreamReader;
}

export type WholeAnswer = {
  /** What the client gets. */
  body: Buffer;
  /** Its media type; absent: JSON. */
  contentType?: string;
  usage: Usage | null;
  /** The usage is gw's own finding and not the supplier's word. */
  estimated?: boolean;
  /** Uses of the supplier's billed tools that the answer shows, for a usage that tells of none; absent: none. */
  toolUses?: number;
  /** Pictures that the answer shows, for a supplier that reports no usage; absent: none. */
  pictures?: number;
  /** What the client gets instead of `body` once the usage is settled, where the answer must state it and did not. */
  withUsage?(usage: Usage): Buffer;
  /** What of its thoughts is not shown and kept with a response that is stored, by the ids of items; absent: nothing. */
  hiddenThoughts?: ReadonlyMap<string, string>;
  /** What was produced, for an estimate; computed only when asked. */
  outputText(): string;
  /** What of it the client sees, where that is not all; absent: the same. */
  shownText?(): string;
};

/** `gatewayCode`: gw's own code, where `code` is the supplier's; absent: `code` is gw's. */
export type StreamProblem = {
  code: string;
  type: string;
  message: string;
  humanMessage: string;
  gatewayCode?: string | undefined;
};

/** Why a stream failed. `status`: the HTTP status by which the same would have been said instead of a stream. */
export type ReaderFailure = {
  code: string | null;
  type: string | null;
  /** The field at fault. */
  param?: string | null;
  message: string;
  protocol: boolean;
  /** More came than is taken of an answer. */
  tooLarge?: true;
  status?: number;
};

/**
 * Follows one streamed answer. `push` takes the supplier's bytes as they come and gives back what the client may see of
 * them: whole events only, usage hidden when the client did not ask for it, nothing of the terminal event.
 */
export interface StreamReader {
  push(chunk: Buffer): Buffer | null;
  /** The supplier's connection has ended; true when the answer was complete by then. */
  end(): boolean;
  /** After `end`: what the client may see of an event that the supplier left without its blank line; absent: nothing. */
  readonly late?: Buffer | null;
  /** The first real content has been seen: from here on there is no second attempt. */
  readonly started: boolean;
  /** `finished` once the terminal event was read; `failed` once an error event or nonsense was. */
  readonly state: "open" | "finished" | "failed";
  /** Why it failed: the supplier's own words where it had any. */
  readonly failure: ReaderFailure | null;
  /** Usage as reported so far. */
  readonly usage: Usage | null;
  /** Uses of the supplier's billed tools that have been shown so far, for a usage that tells of none; absent: none. */
  readonly toolUses?: number | undefined;
  /** Pictures that have been shown so far, for a supplier that reports no usage; absent: none. */
  readonly pictures?: number | undefined;
  /** What went in, where that is reported ahead of the end; all output counts are zero. */
  readonly promptUsage?: Usage | null;
  /** The tier of service that answers, where it is told ahead of the usage. */
  readonly serviceTier?: ServiceTier | undefined;
  /** The terminal event for the client, sent only after the call is settled. */
  readonly terminal: Buffer;
  /** What is sent instead of `terminal` where the answer must state its usage and the supplier did not; absent: nothing. */
  terminalWith?(settled: Usage): Buffer;
  /** What of its thoughts is not shown and kept with a response that is stored, by the ids of items; absent: nothing. */
  readonly hiddenThoughts?: ReadonlyMap<string, string> | undefined;
  /** What has been produced so far, for an estimate. */
  outputText(): string;
  /** What of it the client was shown, where that is not all; absent: the same. */
  shownText?(): string;
  /** How much of an event waits for its end; absent: nothing does. */
  readonly heldBytes?: number;
  /** A guardrail refuses the answer: nothing more of it is shown. Absent: there are none. */
  readonly rejection?: AppError | null;
  /** What guardrails have found in it. */
  readonly hits?: readonly GuardrailHit[];
  /** The dialect's error event as it fits behind what has passed; absent: the dialect's own is the same everywhere. */
  errorEvent?(problem: StreamProblem): Buffer | null;
}
