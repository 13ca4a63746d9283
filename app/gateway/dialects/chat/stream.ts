import type { Usage } from "../../canonical/usage";
import type { StreamReader } from "../dialect";
import { EventTooLong, type SseEvent, SseSplitter } from "../sse";
import { textOf } from "./answer";
import { readChatUsage } from "./usage";

type Chunk = {
  choices?: { delta?: Parameters<typeof textOf>[0]; finish_reason?: unknown }[];
  usage?: unknown;
  error?: unknown;
};

const DONE = Buffer.from("data: [DONE]\n\n");

/** Follows a chat-style stream: chunks as `data:` events, usage in the last one, `[DONE]` at the end. */
export class ChatStreamReader implements StreamReader {
  readonly terminal = DONE;
  started = false;
  state: StreamReader["state"] = "open";
  failure: StreamReader["failure"] = null;
  usage: Usage | null = null;
  readonly #splitter = new SseSplitter();
  readonly #showUsage: boolean;
  #text = "";
  #finishReasons = 0;

  constructor(showUsage: boolean) {
    this.#showUsage = showUsage;
  }

  push(chunk: Buffer): Buffer | null {
    let events: SseEvent[];
    try {
      events = this.#splitter.push(chunk);
    } catch (problem) {
      if (!(problem instanceof EventTooLong)) throw problem;
      this.#fail({ code: null, type: null, message: "the supplier sent an event that is too long", protocol: true });
      return null;
    }
    if (events.length === 1) return this.#take(events[0]!);
    const out: Buffer[] = [];
    for (const event of events) {
      const bytes = this.#take(event);
      if (bytes !== null) out.push(bytes);
    }
    return out.length === 0 ? null : out.length === 1 ? out[0]! : Buffer.concat(out);
  }

  end(): boolean {
    const rest = this.state === "open" ? this.#splitter.rest() : null;
    if (rest !== null) this.#take(rest);
    // Some suppliers close after the last finish_reason without a [DONE]; the answer is complete all the same.
    if (this.state === "open" && this.#finishReasons > 0) this.state = "finished";
    return this.state === "finished";
  }

  outputText(): string {
    return this.#text;
  }

  /** One event in; what the client sees of it out. */
  #take(event: SseEvent): Buffer | null {
    if (this.state !== "open") return null;
    if (event.data === "") return null;
    if (event.data === "[DONE]") {
      this.state = "finished";
      return null;
    }
    let chunk: Chunk;
    try {
      chunk = JSON.parse(event.data);
    } catch {
      return this.#fail({
        code: null,
        type: null,
        message: "the supplier sent an event that is not JSON",
        protocol: true,
      });
    }
    if (typeof chunk !== "object" || chunk === null || chunk.error != null || event.event === "error")
      return this.#fail(errorOf(chunk));
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    for (const choice of choices) {
      const text = textOf(choice?.delta);
      if (text !== "") {
        this.#text += text;
        this.started = true;
      }
      if (choice?.finish_reason != null) {
        this.#finishReasons += 1;
        this.started = true;
      }
    }
    if (!("usage" in chunk)) return event.bytes;
    if (chunk.usage != null) this.usage = readChatUsage(chunk.usage) ?? this.usage;
    return this.#showUsage ? event.bytes : withoutUsage(chunk, choices.length);
  }

  #fail(failure: NonNullable<StreamReader["failure"]>): null {
    this.state = "failed";
    this.failure = failure;
    return null;
  }
}

/** The client did not ask for usage: the event that only carries it disappears, others lose the field. */
function withoutUsage(chunk: Chunk, choices: number): Buffer | null {
  if (choices === 0 && chunk.usage != null) return null;
  const { usage: _hidden, ...rest } = chunk;
  return Buffer.from(`data: ${JSON.stringify(rest)}\n\n`);
}

function errorOf(chunk: Chunk | null): NonNullable<StreamReader["failure"]> {
  const error = (typeof chunk?.error === "object" ? chunk.error : chunk) as Record<string, unknown> | null;
  return {
    code: typeof error?.code === "string" ? error.code : null,
    type: typeof error?.type === "string" ? error.type : null,
    message: typeof error?.message === "string" ? error.message : "the supplier reported an error",
    protocol: false,
  };
}
