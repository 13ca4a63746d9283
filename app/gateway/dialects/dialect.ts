import type { Capability, Lane } from "~/domain/catalogue/shared";
import type { Ask } from "../canonical/ask";
import type { Usage } from "../canonical/usage";
import type { DialectName } from "../suppliers/adapter";

/** A client-facing wire format: how an ask is read, and how errors and estimates look in it. */
export interface Dialect {
  readonly name: DialectName;
  readonly capability: Capability;
  readonly endpoint: string;
  /** Parses and checks a body. @throws AppError with the code that names what is wrong. */
  read(body: string): Ask;
  /** Bytes of the error event that ends a stream in this dialect. */
  errorEvent(problem: StreamProblem): Buffer;
  /** The text that went in, for an estimate when the supplier reports nothing. Not called on the normal path. */
  promptText(ask: Ask): string;
}

/**
 * The way between a client's dialect and a supplier's. Where both are the same it passes bytes through; else it
 * translates. Everything behind the calling stage works on passages and does not know which of the two it has.
 */
export interface Passage {
  /**
   * The body for the supplier: gw's own fields removed, the model renamed. @throws AppError unsupported_parameter for
   * what the supplier's dialect cannot express.
   */
  forward(ask: Ask, lane: Lane): string;
  /** Understands a whole answer. @throws SupplierFailure when it is not one. */
  readAnswer(ask: Ask, body: Buffer): WholeAnswer;
  /** A reader for one streamed answer. */
  openStream(ask: Ask): StreamReader;
}

export type WholeAnswer = {
  /** What the client gets. */
  body: Buffer;
  usage: Usage | null;
  /** What was produced, for an estimate; computed only when asked. */
  outputText(): string;
};

export type StreamProblem = { code: string; type: string; message: string; humanMessage: string };

/**
 * Follows one streamed answer. `push` takes the supplier's bytes as they come and gives back what the client may see of
 * them: whole events only, usage hidden when the client did not ask for it, nothing of the terminal event.
 */
export interface StreamReader {
  push(chunk: Buffer): Buffer | null;
  /** The supplier's connection has ended; true when the answer was complete by then. */
  end(): boolean;
  /** The first real content has been seen: from here on there is no second attempt. */
  readonly started: boolean;
  /** `finished` once the terminal event was read; `failed` once an error event or nonsense was. */
  readonly state: "open" | "finished" | "failed";
  /** Why it failed: the supplier's own words where it had any. */
  readonly failure: { code: string | null; type: string | null; message: string; protocol: boolean } | null;
  /** Usage as reported so far. */
  readonly usage: Usage | null;
  /** The terminal event for the client, sent only after the call is settled. */
  readonly terminal: Buffer;
  /** What has been produced so far, for an estimate. */
  outputText(): string;
}
