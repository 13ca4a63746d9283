import type { Usage } from "../../canonical/usage";
import { argumentsText } from "../chat/read-answer";
import { isObject, type JsonObject } from "../wire/events/reading";
import type { SseEvent } from "../wire/events/sse";
import { CallIds } from "../wire/identifiers";
import { parseExactJson } from "../wire/long-texts";
import { type Emit, FINISHED, MORE, type StreamDecoder, Untranslatable, type Verdict } from "../wire/parts";
import { PLAIN_SEAL } from "../wire/thoughts/thoughts";
import { isFailure, readCohereStop } from "./finish-reasons";
import { failureOf } from "./read-answer";
import { readCohereUsage } from "./usage";

/** Converts the events of a `/v2/chat` stream to parts. The last one contains the finish reason and the whole usage. */
export class CohereStreamDecoder implements StreamDecoder {
  usage: Usage | null = null;
  readonly promptUsage = null;
  #ids: CallIds | null = null;
  #calls = 0;
  /** The call in flight has had arguments. */
  #grew = false;
  #isThinking = false;

  read({ data }: SseEvent, emit: Emit): Verdict {
    const wire = parseEvent(data);
    const delta = isObject(wire.delta) ? wire.delta : {};
    const message = isObject(delta.message) ? delta.message : {};
    switch (wire.type) {
      case "message-start":
        this.#begin(wire.id, emit);
        return MORE;
      case "content-start":
      case "content-delta":
        this.#content(message.content, emit);
        return MORE;
      case "tool-plan-delta":
        this.#thought(message.tool_plan, emit);
        return MORE;
      case "tool-call-start":
        this.#startCall(message.tool_calls, emit);
        return MORE;
      case "tool-call-delta":
        this.#growCall(message.tool_calls, emit);
        return MORE;
      case "content-end":
        this.#endThought(emit);
        emit({ kind: "partEnd" });
        return MORE;
      case "tool-call-end":
        if (!this.#grew && this.#calls > 0) emit({ kind: "toolArguments", call: this.#calls - 1, text: "{}" });
        emit({ kind: "partEnd" });
        return MORE;
      case "message-end":
        return this.#end(delta, emit);
      default:
        // Skip citations and events of later API versions. Errors have no type, or the type `error`.
        return (wire.type === undefined || wire.type === "error") && (wire.message ?? wire.error) != null
          ? { kind: "reported", error: wire }
          : MORE;
    }
  }

  #begin(id: unknown, emit: Emit): void {
    if (this.#ids !== null) return;
    const known = typeof id === "string" ? id : "";
    this.#ids = new CallIds(known);
    emit({ kind: "start", id: known, model: "", usage: null });
  }

  #content(content: unknown, emit: Emit): void {
    if (!isObject(content)) return;
    this.#thought(content.thinking, emit);
    if (typeof content.text !== "string" || content.text === "") return;
    this.#begin("", emit);
    this.#endThought(emit);
    emit({ kind: "text", text: content.text });
  }

  #thought(text: unknown, emit: Emit): void {
    if (typeof text !== "string" || text === "") return;
    this.#begin("", emit);
    this.#isThinking = true;
    emit({ kind: "thinking", text });
  }

  #endThought(emit: Emit): void {
    if (this.#isThinking) emit({ kind: "signature", signature: PLAIN_SEAL });
    this.#isThinking = false;
  }

  #startCall(wire: unknown, emit: Emit): void {
    const call = isObject(wire) ? wire : {};
    const called = isObject(call.function) ? call.function : {};
    if (typeof called.name !== "string" || called.name === "")
      throw new Untranslatable("the supplier sent a tool call without a name");
    this.#begin("", emit);
    this.#endThought(emit);
    const id = this.#ids!.next(typeof call.id === "string" ? call.id : "");
    emit({ kind: "toolCall", call: this.#calls, id, name: called.name });
    this.#calls += 1;
    this.#grew = false;
    this.#growCall(call, emit);
  }

  #growCall(wire: unknown, emit: Emit): void {
    const called = isObject(wire) && isObject(wire.function) ? wire.function : {};
    const text = argumentsText(called.arguments);
    if (text === "") return;
    if (this.#calls === 0) throw new Untranslatable("the supplier sent a piece of a tool call that it did not start");
    this.#grew = true;
    emit({ kind: "toolArguments", call: this.#calls - 1, text });
  }

  #end({ finish_reason, usage, error }: JsonObject, emit: Emit): Verdict {
    this.usage = readCohereUsage(usage);
    if (isFailure(finish_reason)) return { kind: "reported", error: { error: failureOf(finish_reason, error) } };
    this.#begin("", emit);
    this.#endThought(emit);
    emit({ kind: "stop", stop: readCohereStop(finish_reason, this.#calls > 0) });
    return FINISHED;
  }
}

function parseEvent(data: string): JsonObject {
  // Some versions send this after the last event.
  if (data.startsWith("[DONE]")) return { type: "done" };
  let wire: unknown;
  try {
    wire = parseExactJson(data);
  } catch {
    throw new Untranslatable("the supplier sent an event that is not JSON");
  }
  if (!isObject(wire)) throw new Untranslatable("the supplier sent an event that is not an object");
  return wire;
}
