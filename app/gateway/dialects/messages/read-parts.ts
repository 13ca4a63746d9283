import { exactJson } from "~/http/exact-numbers";
import type { Usage } from "../../canonical/usage";
import { CallIds } from "../wire/identifiers";
import { parseExactJson } from "../wire/long-texts";
import { type Emit, FINISHED, MORE, type PartReader, Untranslatable, type Verdict } from "../wire/parts";
import { isObject } from "../wire/reading";
import type { SseEvent } from "../wire/sse";
import type { WireBlock } from "./answer";
import { readMessagesStop } from "./stops";
import type { WireEvent } from "./stream";
import { MessagesUsageMeter } from "./usage";

/** A block in flight. `input` is what its start brought, used when no delta follows. */
type OpenBlock = { type: unknown; call: number; input: unknown; grew: boolean };

/** Takes the events of a messages-style stream apart. Blocks of the supplier's own tools say nothing to other dialects. */
export class MessagesPartReader implements PartReader {
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
    if (wire.type === "error" || event.event === "error") return { kind: "reported", error: wire };
    switch (wire.type) {
      case "message_start":
        this.#start(wire, emit);
        break;
      case "content_block_start":
        this.#start(wire, emit);
        this.#startBlock(wire.index, wire.content_block ?? {}, emit);
        break;
      case "content_block_delta":
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
      const text = exactJson(JSON.stringify(isObject(block.input) ? block.input : {}));
      emit({ kind: "toolArguments", call: block.call, text });
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
    wire = parseExactJson(data);
  } catch {
    throw new Untranslatable("the supplier sent an event that is not JSON");
  }
  if (!isObject(wire)) throw new Untranslatable("the supplier sent an event without a type");
  return wire;
}
