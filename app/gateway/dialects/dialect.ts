import type { Route, ServiceTier } from "~/domain/catalogue/shared";
import type { GuardrailHit } from "~/domain/guardrails/shared";
import type { AppError } from "~/errors/app-error";
import type { ParsedJson } from "~/http/body/json/parse-json";
import type { BodySource, DialectName } from "../canonical/exchange";
import type { InferenceRequest } from "../canonical/inference-request";
import type { RoutingHints } from "../canonical/routing-hints";
import type { SupplierFailure } from "../canonical/supplier-failure";
import type { Usage } from "../canonical/usage";
import type { StreamTexts } from "./wire/events/stream-texts";
import type { BodyFit } from "./wire/fit-members";

/**
 * A client-facing wire format: reads requests, writes errors and estimates sizes. It receives only requests that it has
 * read, so other code uses every dialect as `Dialect`, without its `Source`.
 */
export interface Dialect<Source = unknown> {
  readonly name: DialectName;
  readonly endpoint: string;
  /** Checks a body, and parses it unless `parsed` is given. @throws AppError with the code of the first error found. */
  read(body: string, parsed?: ParsedJson | null): InferenceRequest<Source>;
  /** For dialects whose body is not text: reads it from the request itself, instead of `read`. */
  readUpload?(request: Request): Promise<InferenceRequest<Source>>;
  /** Slow checks, which run after the request is admitted. */
  verify?(inference: InferenceRequest<Source>, countTokens: TokenCounter): Promise<void>;
  /**
   * Bytes of the error event that ends a stream in this dialect. Null if the format has no error event: the connection
   * is then aborted, so that the client does not mistake the end for a complete answer.
   */
  errorEvent(problem: StreamProblem): Buffer | null;
  /** Finds the texts in its streams, for guardrails. Null: its streams have none. */
  readonly streamTexts: StreamTexts | null;
  /** Bytes sent while a supplier is silent in an event stream. Absent: a comment line, which every reader skips. */
  readonly heartbeat?: Buffer;
  /** Same for native agents, which wait for an event and ignore comments. Absent: as for all others. */
  readonly agentHeartbeat?: Buffer;
  /** Headers of an answer that is a stream of bytes. Absent: those of server-sent events. */
  streamHeaders?(inference: InferenceRequest<Source>): Record<string, string>;
  /**
   * Returns the text of the prompt, for an estimate if the supplier reports no usage. Not called on the normal path.
   */
  promptText(inference: InferenceRequest<Source>): string;
  /** Estimates the input tokens beside that text: pictures, files and sound. Absent: none. */
  mediaTokens?(inference: InferenceRequest<Source>): number;
  /** Returns the maximum output of one answer. Absent if requests have no such ceiling. Called only for rejections. */
  outputCeiling?(inference: InferenceRequest<Source>, route: Route): OutputCeiling;
  /** Returns properties of the content for routing. Called only if there is more than one choice. */
  hints?(inference: InferenceRequest<Source>): RoutingHints;
}

/** The output ceiling of one request, and the effect of another value in its place. */
export type OutputCeiling = {
  /** The field that contains it. */
  readonly field: string;
  /** Returns the bytes of the body with another ceiling, in the client's own JSON style. */
  bodyBytesWith(tokens: number): number;
  /** Returns the body with another ceiling, for `read`. */
  textWith(tokens: number): string;
};

/**
 * Counts the tokens of one text of a request; stops at the first number above `enough`. Null if the text is not
 * counted, because the request has too many long texts.
 */
export type TokenCounter = (text: string, enough?: number) => Promise<number | null>;

/**
 * Connects a client's dialect with a supplier's. If both are the same it passes bytes through; else it translates. All
 * code after the calling stage works with translators and does not distinguish the two cases.
 */
export interface Translator<Source = unknown> {
  /** The answer is a single file, forwarded as it arrives whether or not the client requested a stream. */
  readonly bytes?: true;
  /**
   * Returns the body for the supplier: without gw's own fields, and with the supplier's model name.
   * @throws AppError unsupported_parameter for fields that the supplier's dialect cannot express.
   */
  forward(inference: InferenceRequest<Source>, route: Route, fit?: BodyFit): string | BodySource;
  /** Returns the tuning fields that `forward` omits for this supplier, by the client's names. Absent: none. */
  leftOut?(inference: InferenceRequest<Source>, route: Route, fit?: BodyFit): readonly string[];
  /** Computes the edits of a forwarded body once per attempt; the default of `fit` in `forward` and `leftOut`. */
  fit?(inference: InferenceRequest<Source>, route: Route): BodyFit;
  /** Returns the headers for that body: those of the client that are on an allow-list, with lower-case names. */
  headers?(client: Headers): Record<string, string>;
  /** Reads a whole answer of a route's model. @throws SupplierFailure if the body is not an answer. */
  readAnswer(inference: InferenceRequest<Source>, body: Buffer, route?: Route): WholeAnswer | Promise<WholeAnswer>;
  /** Translates a supplier's rejection to the client's dialect. */
  translateError?(failure: SupplierFailure): SupplierFailure;
  /** Returns a reader for one streamed answer of a route's model. */
  openStream(inference: InferenceRequest<Source>, route?: Route): StreamReader;
}

export type WholeAnswer = {
  /** The body for the client. */
  body: Buffer;
  /** Its media type; absent: JSON. */
  contentType?: string;
  usage: Usage | null;
  /** gw computed the usage; the supplier did not report it. */
  estimated?: boolean;
  /** Billed tool uses that the answer shows, if the usage reports none. Absent: none. */
  toolUses?: number;
  /** Number of pictures in the answer, for suppliers that report no usage. Absent: none. */
  pictures?: number;
  /** Returns the body with the settled usage, if the dialect requires usage and the supplier sent none. */
  withUsage?(usage: Usage): Buffer;
  /** Hidden thoughts that are saved with a stored response, by the ids of items. Absent: none. */
  hiddenThoughts?: ReadonlyMap<string, string>;
  /** Returns the generated text, for an estimate; computed only on call. */
  outputText(): string;
  /** Returns the part of that text that the client sees. Absent: all of it. */
  shownText?(): string;
};

/** The error that ends a stream. `gatewayCode`: gw's own code if `code` is the supplier's. Absent: `code` is gw's. */
export type StreamProblem = {
  code: string;
  type: string;
  message: string;
  humanMessage: string;
  gatewayCode?: string | undefined;
};

/** The reason why a stream failed. `status`: the HTTP status that the same error has outside a stream. */
export type ReaderFailure = {
  code: string | null;
  type: string | null;
  /** The field at fault. */
  param?: string | null;
  message: string;
  protocol: boolean;
  /** The answer exceeded the maximum size. */
  tooLarge?: true;
  status?: number;
};

/**
 * Reads one streamed answer. `push` takes the supplier's bytes as they arrive and returns the bytes for the client:
 * only complete events, without usage unless the client requested it, and without the terminal event.
 */
export interface StreamReader {
  push(chunk: Buffer): Buffer | null;
  /** Called when the supplier's connection has ended. Returns true if the answer is complete. */
  end(): boolean;
  /** After `end`: bytes for the client from a last event without its blank line. Absent: none. */
  readonly late?: Buffer | null;
  /** The first content has arrived; from now on there is no second attempt. */
  readonly started: boolean;
  /** `finished` after the terminal event; `failed` after an error event or invalid data. */
  readonly state: "open" | "finished" | "failed";
  /** The reason for the failure, in the supplier's own words if there are any. */
  readonly failure: ReaderFailure | null;
  /** Usage as reported so far. */
  readonly usage: Usage | null;
  /** Billed tool uses shown so far, if the usage reports none. Absent: none. */
  readonly toolUses?: number | undefined;
  /** Number of pictures so far, for suppliers that report no usage. Absent: none. */
  readonly pictures?: number | undefined;
  /** Usage of the prompt, if it is reported before the end; all output counts are zero. */
  readonly promptUsage?: Usage | null;
  /** Service tier of the answer, if it is reported before the usage. */
  readonly serviceTier?: ServiceTier | undefined;
  /** Terminal event for the client, sent only after the call is settled. */
  readonly terminal: Buffer;
  /** Returns the event that replaces `terminal` if the dialect requires usage and the supplier sent none. */
  terminalWith?(settled: Usage): Buffer;
  /** Hidden thoughts that are saved with a stored response, by the ids of items. Absent: none. */
  readonly hiddenThoughts?: ReadonlyMap<string, string> | undefined;
  /** Returns the text generated so far, for an estimate. */
  outputText(): string;
  /** Returns the part of that text that the client saw. Absent: all of it. */
  shownText?(): string;
  /** Bytes of an incomplete event in the buffer. Absent: none. */
  readonly heldBytes?: number;
  /** The error of a guardrail that has rejected the answer; the rest is not sent. Absent: no guardrails. */
  readonly rejection?: AppError | null;
  /** Matches of guardrails in the answer. */
  readonly hits?: readonly GuardrailHit[];
  /** Returns the error event that fits the events sent so far. Absent: the dialect's event fits everywhere. */
  errorEvent?(problem: StreamProblem): Buffer | null;
}
