import { exactAnswer } from "~/http/body/json/exact-numbers";
import { isErrorObject } from "../../canonical/reported-error";
import type { Usage } from "../../canonical/usage";
import { isObject } from "../wire/events/reading";
import type { SseEvent } from "../wire/events/sse";
import { CallIds } from "../wire/identifiers";
import { parseJson } from "../wire/long-texts";
import { type Emit, FINISHED, MORE, type StreamDecoder, Untranslatable, type Verdict } from "../wire/parts";
import type { WireBlock } from "./answer";
import { readMessagesStop } from "./finish-reasons";
import { argumentsOf } from "./read-answer";
import type { WireEvent } from "./stream";
import { MessagesUsageMeter } from "./usage";

/** A block in flight. `input` is the input of its start event, used if no delta follows. */
type OpenBlock = { type: unknown; call: number; input: unknown; grew: boolean };

/** Type of the block that a delta belongs to, by the delta's type. */
const IMPLIED: Readonly<Record<string, string | undefined>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  signature_delta: "thinking",
};

/** Converts the events of a messages-style stream to parts. Skips blocks of the supplier's own tools. */
export class MessagesStreamDecoder implements StreamDecoder {
  readonly #meter = new MessagesUsageMeter();
  readonly #blocks = new Map<unknown, OpenBlock>();
  #ids: CallIds | null = null;
  #callCount = 0;
  #stopped = false;

  get usage(): Usage | null {
    return this.#meter.usage;
  }

  get promptUsage(): Usage | null {
    return this.#meter.promptUsage;
  }

  read(event: SseEvent, emit: Emit): Verdict {
    const wire = parseEvent(event.data);
    if (isErrorObject(wire, "type") || wire.type === "error" || event.event === "error")
      return { kind: "reported", error: wire };
    switch (wire.type) {
      case "message_start":
        this.#start(wire, emit);
        break;
      case "content_block_start":
        this.#start(wire, emit);
        this.#startBlock(wire.index, wire.content_block ?? {}, emit);
        break;
      case "content_block_delta":
        this.#start(wire, emit);
        this.#openImplied(wire.index, wire.delta?.type);
        this.#grow(wire.index, wire.delta ?? {}, emit);
        break;
      case "content_block_stop":
        this.#stopBlock(wire.index, emit);
        break;
      case "message_delta":
        this.#start(wire, emit);
        this.#readTotals(wire, emit);
        break;
      case "message_stop":
        return FINISHED;
    }
    return MORE;
  }

  #start(wire: WireEvent, emit: Emit): void {
    if (this.#ids !== null) return;
    const { id, model, usage } = wire.message ?? {};
    this.#meter.opening(usage);
    this.#ids = new CallIds(typeof id === "string" ? id : "");
    emit({
      kind: "start",
      id: typeof id === "string" ? id : "",
      model: typeof model === "string" ? model : "",
      usage: this.#meter.promptUsage,
    });
  }

  #startBlock(index: unknown, block: WireBlock, emit: Emit): void {
    const open: OpenBlock = { type: block.type, call: -1, input: block.input, grew: false };
    this.#blocks.set(index, open);
    if (block.type === "tool_use") {
      open.call = this.#callCount;
      this.#callCount += 1;
      const id = this.#ids!.next(typeof block.id === "string" ? block.id : "");
      emit({ kind: "toolCall", call: open.call, id, name: typeof block.name === "string" ? block.name : "" });
    } else if (block.type === "redacted_thinking") {
      if (typeof block.data === "string") emit({ kind: "signature", signature: block.data, isRedacted: true });
    } else {
      this.#grow(index, block, emit);
    }
  }

  /** Opens the block of a text or thought if the supplier sent no start event for it. */
  #openImplied(index: unknown, type: unknown): void {
    const implied = IMPLIED[type as string];
    if (implied === undefined || this.#blocks.has(index)) return;
    this.#blocks.set(index, { type: implied, call: -1, input: undefined, grew: false });
  }

  #grow(index: unknown, delta: NonNullable<WireEvent["delta"]> & WireBlock, emit: Emit): void {
    const block = this.#blocks.get(index);
    if (block === undefined) throw new Untranslatable("the supplier sent a piece of a block that it did not start");
    const { text, thinking, signature, partial_json } = delta;
    if (block.type === "text" && typeof text === "string" && text !== "") emit({ kind: "text", text });
    if (block.type === "thinking") {
      if (typeof thinking === "string" && thinking !== "") emit({ kind: "thinking", text: thinking });
      if (typeof signature === "string" && signature !== "") emit({ kind: "signature", signature });
    }
    if (block.type !== "tool_use" || typeof partial_json !== "string" || partial_json === "") return;
    block.grew = true;
    emit({ kind: "toolArguments", call: block.call, text: partial_json });
  }

  #stopBlock(index: unknown, emit: Emit): void {
    const block = this.#blocks.get(index);
    if (block === undefined) return;
    this.#blocks.delete(index);
    if (block.type === "tool_use" && !block.grew) {
      emit({ kind: "toolArguments", call: block.call, text: argumentsOf(block.input) });
    }
    emit({ kind: "partEnd" });
  }

  #readTotals({ delta, usage }: WireEvent, emit: Emit): void {
    this.#meter.total(usage);
    if (delta?.stop_reason == null || this.#stopped) return;
    this.#stopped = true;
    emit({ kind: "stop", stop: readMessagesStop(delta.stop_reason, delta.stop_sequence) });
  }
}

function parseEvent(data: string): WireEvent {
  let wire: unknown;
  try {
    wire = parseJson(data);
  } catch {
    throw new Untranslatable("the supplier sent an event that is not JSON");
  }
  if (!isObject(wire)) throw new Untranslatable("the supplier sent an event without a type");
  // Only a block's start contains arguments as a JSON value; deltas contain them as text.
  return wire.type === "content_block_start" ? exactAnswer(wire, data) : wire;
}
