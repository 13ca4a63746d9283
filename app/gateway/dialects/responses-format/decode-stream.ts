import type { ServiceTier } from "~/domain/catalogue/shared";
import { isErrorObject } from "../../canonical/reported-error";
import type { Usage } from "../../canonical/usage";
import { readNativeUsage } from "../native/usage";
import { isObject, type JsonObject } from "../wire/events/reading";
import type { SseEvent } from "../wire/events/sse";
import { CallIds } from "../wire/identifiers";
import { type Emit, FINISHED, MORE, type StreamDecoder, Untranslatable, type Verdict } from "../wire/parts";
import { atTier } from "../wire/service-tier";
import { responsesSeal } from "../wire/thoughts/thoughts";
import { readCitation, readStop, textOf, thoughtIn } from "./read-answer";

/** Converts the events of a streamed response to parts. Content without deltas is read from the completed item. */
export class ResponseStreamDecoder implements StreamDecoder {
  readonly promptUsage = null;
  usage: Usage | null = null;
  serviceTier: ServiceTier | undefined;
  readonly #ids = new CallIds("");
  /** Calls by their output index. */
  readonly #calls = new Map<unknown, { call: number; grew: boolean }>();
  /** Output indexes of items that had deltas. */
  readonly #grown = new Set<unknown>();
  #callCount = 0;
  #begun = false;
  #isRefusal = false;

  read({ event, data }: SseEvent, emit: Emit): Verdict {
    const wire = parseEvent(data);
    const type = textOf(wire.type) || event;
    const response = isObject(wire.response) ? wire.response : {};
    if (type === "error") return { kind: "reported", error: isObject(wire.error) ? wire.error : wire };
    if (isErrorObject(wire, "type")) return { kind: "reported", error: wire };
    if (type === "response.failed") return { kind: "reported", error: response.error ?? response };
    this.#begin(response, emit);
    switch (type) {
      case "response.output_item.added":
        if (isObject(wire.item) && wire.item.type === "function_call") this.#openCall(wire, wire.item, emit);
        break;
      case "response.output_text.delta":
      case "response.refusal.delta":
        this.#text(wire, type === "response.refusal.delta", emit);
        break;
      case "response.output_text.annotation.added": {
        const citation = readCitation(wire.annotation);
        if (citation !== null) emit({ kind: "citation", citation });
        break;
      }
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        this.#grown.add(wire.output_index);
        if (textOf(wire.delta) !== "") emit({ kind: "thinking", text: textOf(wire.delta) });
        break;
      case "response.reasoning_summary_part.added":
        if (this.#grown.has(wire.output_index)) emit({ kind: "thinking", text: "\n\n" });
        break;
      case "response.function_call_arguments.delta":
        this.#growCall(wire, emit);
        break;
      case "response.output_item.done":
        if (isObject(wire.item)) this.#finishItem(wire, wire.item, emit);
        break;
      case "response.completed":
      case "response.incomplete":
        return this.#finish(response, emit);
    }
    return MORE;
  }

  #begin({ id, model }: JsonObject, emit: Emit): void {
    if (this.#begun) return;
    this.#begun = true;
    emit({ kind: "start", id: textOf(id), model: textOf(model), usage: null });
  }

  #text({ delta, output_index }: JsonObject, isRefusal: boolean, emit: Emit): void {
    this.#grown.add(output_index);
    if (isRefusal) this.#isRefusal = true;
    const text = textOf(delta);
    if (text !== "") emit({ kind: "text", text, ...(isRefusal ? { isRefusal } : {}) });
  }

  #openCall({ output_index }: JsonObject, { call_id, name }: JsonObject, emit: Emit): { call: number; grew: boolean } {
    const open = { call: this.#callCount, grew: false };
    this.#callCount += 1;
    this.#calls.set(output_index, open);
    emit({ kind: "toolCall", call: open.call, id: this.#ids.next(textOf(call_id)), name: textOf(name) });
    return open;
  }

  #growCall({ output_index, delta }: JsonObject, emit: Emit): void {
    const open = this.#calls.get(output_index);
    if (open === undefined) throw new Untranslatable("the supplier sent a piece of a tool call that it did not start");
    if (textOf(delta) === "") return;
    open.grew = true;
    emit({ kind: "toolArguments", call: open.call, text: textOf(delta) });
  }

  #finishItem(wire: JsonObject, item: JsonObject, emit: Emit): void {
    const isNew = !this.#grown.has(wire.output_index);
    if (item.type === "function_call") {
      const open = this.#calls.get(wire.output_index) ?? this.#openCall(wire, item, emit);
      if (!open.grew) emit({ kind: "toolArguments", call: open.call, text: textOf(item.arguments) || "{}" });
    } else if (item.type === "reasoning") {
      const text = isNew ? thoughtIn(item) : "";
      if (text !== "") emit({ kind: "thinking", text });
      const signature = responsesSeal(item.encrypted_content);
      if (signature !== null) emit({ kind: "signature", signature });
    } else if (item.type === "message" && isNew) {
      for (const part of Array.isArray(item.content) ? item.content.filter(isObject) : [])
        this.#text({ ...wire, delta: part.text ?? part.refusal }, part.type === "refusal", emit);
    } else if (item.type !== "message") return;
    emit({ kind: "partEnd" });
  }

  #finish(response: JsonObject, emit: Emit): Verdict {
    this.usage = atTier(readNativeUsage(response.usage), response.service_tier);
    const contents = { hasCall: this.#callCount > 0, isRefusal: this.#isRefusal };
    emit({ kind: "stop", stop: readStop(response, contents) });
    return FINISHED;
  }
}

function parseEvent(data: string): JsonObject {
  let wire: unknown;
  try {
    wire = JSON.parse(data);
  } catch {
    throw new Untranslatable("the supplier sent an event that is not JSON");
  }
  if (!isObject(wire)) throw new Untranslatable("the supplier sent an event that is not an object");
  return wire;
}
