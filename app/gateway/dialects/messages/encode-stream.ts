import type { Stop, StreamPart } from "../../canonical/answer";
import { NO_USAGE, type Usage } from "../../canonical/usage";
import { isObject } from "../wire/events/reading";
import type { ToolNames } from "../wire/identifiers";
import { type StreamEncoder, Untranslatable } from "../wire/parts";
import { NO_SEAL } from "../wire/thoughts/thoughts";
import { writeMessagesStop } from "./finish-reasons";
import { thoughtBlock } from "./thought-block";
import { writeMessagesUsage } from "./usage";
import { imageBlock } from "./write-answer";

/** Input for a messages stream besides its parts. */
export type MessagesStreamFrame = {
  names: ToolNames;
  /** The client requested thinking; other clients may mistake the first block for the text. */
  showThinking: boolean;
  /** Returns the client's id for the supplier's `id`. */
  idOf(id: string): string;
  /** Model name as the client requested it; Claude Code removes thoughts from messages of any other model. */
  model: string;
};

/**
 * A block of the answer. `start`: the block in its first event. `held`: text that arrived while the block waited.
 * `input`: a tool call's arguments so far.
 */
type Block = {
  kind: "text" | "thinking" | "sealed" | "toolCall" | "picture";
  call: number;
  start: string;
  held: string;
  input: string;
  /** The thought has its seal and is complete. */
  isSealed?: true;
};

/**
 * Writes a streamed answer as messages events. This dialect has one open block at a time, but pieces of several tool
 * calls may arrive interleaved. The first block of the queue is sent as it grows; the others wait until it is complete.
 */
export class MessagesStreamEncoder implements StreamEncoder {
  readonly statesUsage = true;
  readonly #frame: MessagesStreamFrame;
  /** The open block, followed by those that wait. */
  readonly #line: Block[] = [];
  #index = -1;
  #stop: Stop | null = null;
  /** Events that close the remaining blocks at the end. */
  #closing: string | null = null;
  /** The text so far of a hidden thought, and the sealed blocks of complete hidden thoughts. */
  #hidden = "";
  #sealed: string[] = [];
  #hasCalls = false;

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
        if (this.#frame.showThinking) return this.#grow("thinking", THINKING, part.text);
        this.#hidden += part.text;
        return "";
      case "citation":
        // This dialect's citations require data that only its suppliers' searches return.
        return "";
      case "signature":
        return this.#frame.showThinking ? this.#seal(part) : this.#hide(part);
      case "picture":
        return this.#enter({ ...NEW, kind: "picture", call: -1, start: JSON.stringify(imageBlock(part)) });
      case "toolCall":
        this.#hasCalls = true;
        return (
          this.#enterHidden() + this.#enter({ ...NEW, kind: "toolCall", call: part.call, start: this.#toolStart(part) })
        );
      case "toolArguments":
        return this.#growCall(part.call, part.text);
      case "partEnd":
        return this.#endThought();
      case "stop":
        this.#stop = part.stop;
        return (this.#hasCalls ? this.#enterHidden() : "") + this.#closeAll();
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

  #begin({ id, usage }: Extract<StreamPart, { kind: "start" }>): string {
    const message = {
      id: this.#frame.idOf(id),
      type: "message",
      role: "assistant",
      model: this.#frame.model,
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

  /** Adds a piece of text or thought to the last block of the queue, or starts a new block. */
  #grow(kind: "text" | "thinking", start: string, text: string): string {
    const last = this.#line.at(-1);
    if (last?.kind === kind && last.isSealed === undefined) return this.#extend(last, text);
    const block: Block = { ...NEW, kind, start };
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

  /** Ends the open thought with its seal; a seal without an open thought becomes a thought without text. */
  #seal({ signature, isRedacted }: Seal): string {
    if (isRedacted) return this.#enterSealed(JSON.stringify(thoughtBlock({ text: "", signature, isRedacted }, true)));
    const last = this.#line.at(-1);
    const isOpen = last?.kind === "thinking" && last.isSealed === undefined;
    const entered = isOpen ? "" : this.#enter({ ...NEW, kind: "thinking", start: THINKING });
    const block = this.#line.at(-1)!;
    block.isSealed = true;
    const text = JSON.stringify(signature);
    if (block === this.#line[0]) return entered + this.#delta("signature_delta", "signature", text);
    block.start = block.start.replace('"signature":""', () => `"signature":${text}`);
    return entered;
  }

  /** Ends an open thought that got no seal of its own, so that a later seal is not added to it. */
  #endThought(): string {
    const last = this.#line.at(-1);
    if (last?.kind !== "thinking" || last.isSealed !== undefined) return "";
    return this.#seal({ kind: "signature", signature: NO_SEAL });
  }

  #hide({ signature, isRedacted }: Seal): string {
    const text = isRedacted ? "" : this.#hidden;
    if (!isRedacted) this.#hidden = "";
    this.#sealed.push(JSON.stringify(thoughtBlock({ text, signature, ...(isRedacted ? { isRedacted } : {}) }, false)));
    return "";
  }

  /** Sends hidden thoughts sealed before a tool call; some models answer its result only if they are sent back. */
  #enterHidden(): string {
    const entered = this.#sealed.map((block) => this.#enterSealed(block)).join("");
    this.#sealed = [];
    return entered;
  }

  #enterSealed = (start: string): string => this.#enter({ ...NEW, kind: "sealed", start });

  #extend(block: Block, text: string): string {
    if (block !== this.#line[0]) {
      block.held += text;
      return "";
    }
    return this.#piece(block, text);
  }

  #piece({ kind }: Block, text: string): string {
    // A picture and a sealed thought are complete in their first event.
    if (kind === "sealed" || kind === "picture") return "";
    const { type, name } = FIELDS[kind];
    return this.#delta(type, name, JSON.stringify(text));
  }

  #delta(type: string, name: string, json: string): string {
    return event("content_block_delta", `"index":${this.#index},"delta":{"type":"${type}","${name}":${json}}`);
  }

  #enter(block: Block): string {
    this.#line.push(block);
    return this.#line.length === 1 ? this.#open(block) : this.#advance();
  }

  /** Closes complete blocks and opens the next, as long as another block waits. */
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
    let rest = "";
    if (block.kind === "toolCall" && block.input.trim() === "") rest = this.#piece(block, "{}");
    // The dialect requires a signature.
    if (block.kind === "thinking" && block.isSealed === undefined)
      rest = this.#delta("signature_delta", "signature", JSON.stringify(NO_SEAL));
    return rest + event("content_block_stop", `"index":${this.#index}`);
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

type Seal = Extract<StreamPart, { kind: "signature" }>;

const NEW = { call: -1, held: "", input: "" };
const THINKING = '{"type":"thinking","thinking":"","signature":""}';

const FIELDS = {
  text: { type: "text_delta", name: "text" },
  thinking: { type: "thinking_delta", name: "thinking" },
  toolCall: { type: "input_json_delta", name: "partial_json" },
} as const;

const event = (type: string, members: string) => `event: ${type}\ndata: {"type":"${type}",${members}}\n\n`;

/** Whether a block is complete once another one waits. A tool call is complete when its arguments are a JSON object. */
function isWhole({ kind, input }: Block): boolean {
  if (kind !== "toolCall") return true;
  if (!input.trimEnd().endsWith("}")) return false;
  try {
    return isObject(JSON.parse(input));
  } catch {
    return false;
  }
}
