import type { StreamPart } from "../../canonical/answer";
import type { Usage } from "../../canonical/usage";
import { EventReader } from "../event-reader";
import type { SseEvent } from "../sse";

export type Emit = (part: StreamPart) => void;

/** What one event did to a stream. */
export type Verdict = { kind: "more" } | { kind: "finished" } | { kind: "reported"; error: unknown };

export const MORE: Verdict = { kind: "more" };
export const FINISHED: Verdict = { kind: "finished" };

/** Takes a supplier's events apart. @throws Untranslatable for what its dialect does not allow. */
export interface PartReader {
  read(event: SseEvent, emit: Emit): Verdict;
  /** The whole answer's usage, once reported. */
  readonly usage: Usage | null;
  /** What went in, as far as it was reported before the end. */
  readonly promptUsage: Usage | null;
}

/** Puts a client's events together: text for each part, and the text behind the last one, which may be asked for again. */
export interface PartWriter {
  /** The dialect's answers always state their usage, also where the supplier said nothing of it. */
  readonly statesUsage?: true;
  write(part: StreamPart): string;
  finish(usage: Usage | null): string;
}

/** A supplier's stream is not what its dialect allows and cannot be told in the other one. */
export class Untranslatable extends Error {}

/**
 * Follows a supplier's stream in one dialect and tells it in another, event by event: what comes out depends on the
 * events alone, never on how their bytes were cut. Everything behind the last content waits in `terminal`.
 */
export class TranslatedStream extends EventReader {
  readonly #reader: PartReader;
  readonly #writer: PartWriter;
  #out = "";
  #text = "";
  #stopped = false;
  #terminal: Buffer | null = null;

  constructor(reader: PartReader, writer: PartWriter) {
    super();
    this.#reader = reader;
    this.#writer = writer;
  }

  get usage(): Usage | null {
    return this.#reader.usage;
  }

  get promptUsage(): Usage | null {
    return this.#reader.promptUsage;
  }

  get terminal(): Buffer {
    if (this.state !== "finished") return NOTHING;
    this.#terminal ??= Buffer.from(this.#writer.finish(this.usage));
    return this.#terminal;
  }

  terminalWith(settled: Usage): Buffer {
    if (this.usage !== null || this.#writer.statesUsage === undefined || this.state !== "finished")
      return this.terminal;
    return Buffer.from(this.#writer.finish(settled));
  }

  outputText(): string {
    return this.#text;
  }

  protected isComplete(): boolean {
    return this.#stopped;
  }

  protected take(event: SseEvent): Buffer | null {
    this.#out = "";
    try {
      const verdict = this.#reader.read(event, this.#emit);
      if (verdict.kind === "finished") {
        if (!this.started) throw new Untranslatable("the supplier's answer was empty");
        this.state = "finished";
      } else if (verdict.kind === "reported") this.failReported(verdict.error);
    } catch (problem) {
      if (!(problem instanceof Untranslatable)) throw problem;
      this.failProtocol(problem.message);
    }
    return this.#out === "" ? null : Buffer.from(this.#out);
  }

  readonly #emit: Emit = (part) => {
    switch (part.kind) {
      case "text":
      case "thinking":
      case "toolArguments":
        this.#text += part.text;
        this.started = true;
        break;
      case "toolCall":
        this.#text += part.name;
        this.started = true;
        break;
      case "stop":
        this.#stopped = true;
        this.started = true;
        break;
    }
    this.#out += this.#writer.write(part);
  };
}

const NOTHING = Buffer.alloc(0);
