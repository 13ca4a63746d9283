import { eventsIn, isCount, type Json } from "./events";

/** Allowed deltas for each kind of block. */
const DELTAS: Readonly<Record<string, readonly string[]>> = {
  text: ["text_delta", "citations_delta"],
  thinking: ["thinking_delta", "signature_delta"],
  redacted_thinking: [],
  tool_use: ["input_json_delta"],
  server_tool_use: ["input_json_delta"],
};

const STOP_REASONS = [
  "end_turn",
  "max_tokens",
  "stop_sequence",
  "tool_use",
  "pause_turn",
  "refusal",
  "model_context_window_exceeded",
];

/**
 * Returns all violations of the messages dialect in a stream; empty if it is valid. A stream ends either with
 * `message_stop` or with one `error` event, and nothing follows.
 */
export function messagesViolations(bytes: Buffer | string): string[] {
  const grammar = new MessagesGrammar();
  for (const { name, data } of eventsIn(bytes, grammar.violations)) grammar.take(name, data);
  grammar.end();
  return grammar.violations;
}

class MessagesGrammar {
  readonly violations: string[] = [];
  #phase: "before" | "blocks" | "totals" | "over" = "before";
  #open: { index: number; type: string; input: string } | null = null;
  #next = 0;
  #hasTools = false;
  #stopReason: unknown = null;

  take(name: string, data: Json): void {
    if (this.#phase === "over") {
      this.#wrong(`an event behind the end: ${name}`);
      return;
    }
    if (typeof data !== "object" || data === null) {
      this.#wrong(`data that is not an object: ${data}`);
      return;
    }
    if (name !== data.type) this.#wrong(`an event named ${JSON.stringify(name)} with the type ${data.type}`);
    switch (data.type) {
      case "ping":
        return;
      case "error":
        this.#error(data.error);
        return;
      case "message_start":
        this.#start(data.message);
        return;
      case "content_block_start":
        this.#startBlock(data);
        return;
      case "content_block_delta":
        this.#delta(data);
        return;
      case "content_block_stop":
        this.#stopBlock(data.index);
        return;
      case "message_delta":
        this.#totals(data);
        return;
      case "message_stop":
        this.#stop();
        return;
      default:
        this.#wrong(`an event of an unknown type: ${data.type}`);
        return;
    }
  }

  end(): void {
    if (this.#phase !== "over") this.#wrong("the stream has no end");
  }

  #wrong(violation: string): void {
    this.violations.push(violation);
  }

  #error(error: Json): void {
    if (typeof error?.type !== "string" || typeof error?.message !== "string")
      this.#wrong("an error without its words");
    this.#phase = "over";
  }

  #start(message: Json): void {
    if (this.#phase !== "before") this.#wrong("a second message_start");
    this.#phase = "blocks";
    if (message?.type !== "message" || message?.role !== "assistant") this.#wrong("message_start without a message");
    if (typeof message?.id !== "string" || message.id === "") this.#wrong("a message without an id");
    if (typeof message?.model !== "string" || message.model === "") this.#wrong("a message without a model");
    if (!Array.isArray(message?.content) || message.content.length > 0)
      this.#wrong("a message that begins with content");
    if (!isCount(message?.usage?.input_tokens) || !isCount(message?.usage?.output_tokens))
      this.#wrong("message_start without usage");
  }

  #startBlock({ index, content_block }: Json): void {
    if (this.#phase !== "blocks") this.#wrong("a block outside the message");
    if (this.#open !== null) this.#wrong(`block ${index} starts while block ${this.#open.index} is open`);
    if (index !== this.#next) this.#wrong(`block ${index} where ${this.#next} is next`);
    this.#next = index + 1;
    const type = String(content_block?.type);
    if (type === "tool_use") {
      this.#hasTools = true;
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(content_block.id)) this.#wrong(`a tool call with the id ${content_block.id}`);
      if (typeof content_block.name !== "string" || content_block.name === "")
        this.#wrong("a tool call without a name");
    }
    this.#open = { index, type, input: "" };
  }

  #delta({ index, delta }: Json): void {
    if (this.#open === null || index !== this.#open.index) {
      this.#wrong(`a delta for block ${index}, which is not open`);
      return;
    }
    const { type } = this.#open;
    if (DELTAS[type] && !DELTAS[type].includes(delta?.type))
      this.#wrong(`${delta?.type} in a block of the type ${type}`);
    if (delta?.type === "input_json_delta") this.#open.input += delta.partial_json;
  }

  #stopBlock(index: unknown): void {
    if (this.#open === null || index !== this.#open.index) {
      this.#wrong(`block ${index} stops but is not open`);
      return;
    }
    if (this.#open.type === "tool_use" && this.#open.input !== "" && !isJson(this.#open.input))
      this.#wrong(`a tool call with the input ${this.#open.input}`);
    this.#open = null;
  }

  #totals({ delta, usage }: Json): void {
    if (this.#phase === "before") this.#wrong("message_delta before message_start");
    if (this.#open !== null) this.#wrong("message_delta while a block is open");
    this.#phase = "totals";
    if (!isCount(usage?.output_tokens)) this.#wrong("message_delta without usage");
    if (delta?.stop_reason == null) return;
    if (this.#stopReason !== null) this.#wrong("a second stop reason");
    this.#stopReason = delta.stop_reason;
    if (!STOP_REASONS.includes(delta.stop_reason)) this.#wrong(`the stop reason ${delta.stop_reason}`);
    if (delta.stop_reason === "tool_use" && !this.#hasTools)
      this.#wrong("the stop reason tool_use without a tool call");
  }

  #stop(): void {
    if (this.#phase !== "totals") this.#wrong("message_stop before message_delta");
    if (this.#stopReason === null) this.#wrong("message_stop without a stop reason");
    this.#phase = "over";
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
