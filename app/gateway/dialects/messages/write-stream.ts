import type { Stop, StreamPart } from "../../canonical/answer";
import { NO_USAGE, type Usage } from "../../canonical/usage";
import type { ToolNames } from "../wire/identifiers";
import { type PartWriter, Untranslatable } from "../wire/parts";
import { isObject } from "../wire/reading";
import { writeMessagesStop } from "./stops";
import { writeMessagesUsage } from "./usage";

/** What a messages stream needs to know besides its parts. */
export type MessagesStreamFrame = {
  names: ToolNames;
  /** The client asked for thinking; others may take the first block for the text. */
  showThinking: boolean;
  /** The client's id and model for what the supplier calls `id` and `model`. */
  idOf(id: string): string;
  modelOf(model: string): string;
};

/** `start` is the block as its first event shows it; `held` came while it waited; `input` is a tool call's whole arguments. */
type Block = { kind: "text" | "thinking" | "toolCall"; call: number; start: string; held: string; input: string };

/**
 * Writes a streamed answer as messages events. This dialect has one open block at a time, while pieces of several tool
 * calls may come mixed: the first block in line is sent as it grows, the others wait until it is known to be whole.
 */
export class MessagesStreamWriter implements PartWriter {
  readonly statesUsage = true;
  readonly #frame: MessagesStreamFrame;
  /** The open block and those behind it. */
  readonly #line: Block[] = [];
  #index = -1;
  #stop: Stop | null = null;
  /** What closes the blocks that are open at the end. */
  #closing: string | null = null;

  constructor(frame: MessagesStreamFrame) {
    this.#frame = frame;
  }

  write(part: StreamPart): string {
    switch (part.kind) {
      case "start":
        return this.#begin(part);
      case "text":
        return this.#grow("text", '{"type":"text","text":""}', part.text);
      case "thinking":
        if (!this.#frame.showThinking) return "";
        return this.#grow("thinking", '{"type":"thinking","thinking":"","signature":""}', part.text);
      case "citation":
        // This dialect's own citations need what only its suppliers' searches give.
        return "";
      case "signature":
        return part.isRedacted ? "" : this.#seal(part.signature);
      case "toolCall":
        return this.#enter({ kind: "toolCall", call: part.call, start: this.#toolStart(part), held: "", input: "" });
      case "toolArguments":
        return this.#growCall(part.call, part.text);
      case "partEnd":
        return "";
      case "stop":
        this.#stop = part.stop;
        return this.#closeAll();
    }
  }

  finish(usage: Usage | null): string {
    const stop = this.#stop ?? { reason: "end" as const, sequence: null };
    const delta = JSON.stringify({ stop_details: null, ...writeMessagesStop(stop) });
    const totals = JSON.stringify(writeMessagesUsage(usage ?? NO_USAGE));
    this.#closing ??= this.#closeAll();
    return (
      this.#closing +
      event("message_delta", `"delta":${delta},"usage":${totals}`) +
      'event: message_stop\ndata: {"type":"message_stop"}\n\n'
    );
  }

  #begin({ id, model, usage }: Extract<StreamPart, { kind: "start" }>): string {
    const message = {
      id: this.#frame.idOf(id),
      type: "message",
      role: "assistant",
      model: this.#frame.modelOf(model),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: writeMessagesUsage({ ...(usage ?? NO_USAGE), outputTokens: 0, reasoningTokens: 0 }),
    };
    return event("message_start", `"message":${JSON.stringify(message)}`);
  }

  #toolStart({ id, name }: Extract<StreamPart, { kind: "toolCall" }>): string {
    return JSON.stringify({ type: "tool_use", id, name: this.#frame.names.original(name), input: {} });
  }

  /** A piece of text or thought: it goes on with the last block in line, or starts the next one. */
  #grow(kind: "text" | "thinking", start: string, text: string): string {
    const last = this.#line.at(-1);
    if (last?.kind === kind) return this.#extend(last, text);
    const block: Block = { kind, call: -1, start, held: "", input: "" };
    const entered = this.#enter(block);
    return entered + this.#extend(block, text);
  }

  #growCall(call: number, text: string): string {
    const block = this.#line.find((candidate) => candidate.call === call);
    if (block !== undefined) {
      block.input += text;
      const grown = this.#extend(block, text);
      return this.#line.length === 1 ? grown : grown + this.#advance();
    }
    if (text.trim() === "") return "";
    throw new Untranslatable("the supplier went on with a tool call that was whole");
  }

  #seal(signature: string): string {
    const last = this.#line.at(-1);
    if (last?.kind !== "thinking") return "";
    const text = JSON.stringify(signature);
    if (last !== this.#line[0]) {
      last.start = last.start.replace('"signature":""', () => `"signature":${text}`);
      return "";
    }
    const delta = `{"type":"signature_delta","signature":${text}}`;
    return event("content_block_delta", `"index":${this.#index},"delta":${delta}`);
  }

  #extend(block: Block, text: string): string {
    if (block !== this.#line[0]) {
      block.held += text;
      return "";
    }
    return this.#piece(block, text);
  }

  #piece({ kind }: Block, text: string): string {
    const field = FIELDS[kind];
    const delta = `{"type":"${field.type}","${field.name}":${JSON.stringify(text)}}`;
    return event("content_block_delta", `"index":${this.#index},"delta":${delta}`);
  }

  #enter(block: Block): string {
    this.#line.push(block);
    return this.#line.length === 1 ? this.#open(block) : this.#advance();
  }

  /** Closes the open block and opens the next, as long as one waits behind one that is whole. */
  #advance(): string {
    let text = "";
    while (this.#line.length > 1 && isWhole(this.#line[0]!)) {
      text += this.#close(this.#line.shift()!);
      text += this.#open(this.#line[0]!);
    }
    return text;
  }

  #open(block: Block): string {
    this.#index += 1;
    const started = event("content_block_start", `"index":${this.#index},"content_block":${block.start}`);
    return block.held === "" ? started : started + this.#piece(block, block.held);
  }

  #close(block: Block): string {
    const empty = block.kind === "toolCall" && block.input.trim() === "" ? this.#piece(block, "{}") : "";
    return empty + event("content_block_stop", `"index":${this.#index}`);
  }

  #closeAll(): string {
    let text = "";
    for (let block = this.#line.shift(); block !== undefined; block = this.#line.shift()) {
      text += this.#close(block);
      const next = this.#line[0];
      if (next !== undefined) text += this.#open(next);
    }
    return text;
  }
}

const FIELDS = {
  text: { type: "text_delta", name: "text" },
  thinking: { type: "thinking_delta", name: "thinking" },
  toolCall: { type: "input_json_delta", name: "partial_json" },
} as const;

const event = (type: string, members: string) => `event: ${type}\ndata: {"type":"${type}",${members}}\n\n`;

/** Text ends where something else begins; a tool call is whole when its arguments are a JSON object. */
function isWhole({ kind, input }: Block): boolean {
  if (kind !== "toolCall") return true;
  if (!input.trimEnd().endsWith("}")) return false;
  try {
    return isObject(JSON.parse(input));
  } catch {
    return false;
  }
}
