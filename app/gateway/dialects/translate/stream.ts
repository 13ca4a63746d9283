import type { ServiceTier } from "~/domain/catalogue/shared";
import type { Usage } from "../../canonical/usage";
import type { StreamProblem } from "../dialect";
import { EventReader } from "../wire/events/event-reader";
import type { SseEvent } from "../wire/events/sse";
import { type Emit, type StreamDecoder, type StreamEncoder, Untranslatable } from "../wire/parts";

/**
 * Translates a supplier's stream to another dialect, event by event. The output depends only on the events, not on the
 * chunks in which they arrive. Everything after the last content is deferred to `terminal`.
 */
export class TranslatedStream extends EventReader {
  readonly #reader: StreamDecoder;
  readonly #writer: StreamEncoder;
  #out = "";
  #text = "";
  #pictures = 0;
  #stopped = false;
  #terminal: Buffer | null = null;

  constructor(reader: StreamDecoder, writer: StreamEncoder) {
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

  get serviceTier(): ServiceTier | undefined {
    return this.#reader.serviceTier;
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

  errorEvent(problem: StreamProblem): Buffer | null {
    const event = this.#writer.fail?.(problem);
    return event === undefined ? null : Buffer.from(event);
  }

  outputText(): string {
    return this.#text;
  }

  get pictures(): number {
    return this.#pictures;
  }

  protected isComplete(): boolean {
    this.#out = "";
    this.#reader.end?.(this.#emit);
    if (this.#out !== "") this.late = Buffer.concat([this.late ?? NOTHING, Buffer.from(this.#out)]);
    return this.#stopped;
  }

  protected take(event: SseEvent): Buffer | null {
    this.#out = "";
    try {
      const verdict = this.#reader.read(event, this.#emit);
      if (verdict.kind === "finished") {
        this.#reader.end?.(this.#emit);
        if (!this.started) throw new Untranslatable("the supplier's answer was empty");
        this.state = "finished";
      } else if (verdict.kind === "reported") this.failReported(verdict.error);
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error;
      this.failProtocol(error.message);
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
      case "picture":
        this.#pictures += 1;
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
