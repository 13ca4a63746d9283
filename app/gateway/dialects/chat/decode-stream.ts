import type { ServiceTier } from "~/domain/catalogue/shared";
import { isErrorObject } from "../../canonical/reported-error";
import type { Usage } from "../../canonical/usage";
import { isObject, type JsonObject } from "../wire/events/reading";
import type { SseEvent } from "../wire/events/sse";
import { CallIds } from "../wire/identifiers";
import { parseExactJson, parseJson } from "../wire/long-texts";
import { type Emit, FINISHED, MORE, type StreamDecoder, Untranslatable, type Verdict } from "../wire/parts";
import { atTier, servedTier } from "../wire/service-tier";
import { detailsSeal, sealOfCall, thoughtOf } from "../wire/thoughts/thoughts";
import { errorOf, isBroken, saysAnything } from "./answer";
import { citationsOf, contentPieces, picturesOf } from "./content";
import { isOver, readChatStop } from "./finish-reasons";
import { OpenCalls, remainderOf } from "./open-calls";
import { argumentsText } from "./read-answer";
import { isDone } from "./stream";
import { growDetails } from "./thought-details";
import { readChatUsage, usageIn } from "./usage";

/** Converts the chunks of a chat-style stream to parts: the first choice, and usage from any chunk. */
export class ChatStreamDecoder implements StreamDecoder {
  usage: Usage | null = null;
  readonly promptUsage = null;
  serviceTier: ServiceTier | undefined;
  readonly #stopSequences: readonly string[];
  readonly #calls = new OpenCalls();
  /** The client's ids of calls, by number. */
  readonly #callIds: string[] = [];
  #ids: CallIds | null = null;
  #seal: string | null = null;
  /** Text and details of the thought that has no seal yet. */
  #thought = "";
  #details: unknown[] = [];
  #refused = false;
  /**
   * The choice with the finish reason, and whether content has followed one. If so, finish reasons are unreliable, and
   * only the totals or `[DONE]` are an end.
   */
  #end: JsonObject | null = null;
  #hasFalseEnds = false;
  #hasTotals = false;

  constructor(stopSequences: readonly string[]) {
    this.#stopSequences = stopSequences;
  }

  read(event: SseEvent, emit: Emit): Verdict {
    if (isDone(event)) {
      this.#hasTotals = true;
      return FINISHED;
    }
    const chunk = parseChunk(event.data);
    if (isErrorObject(chunk, "choices") || event.event === "error") return { kind: "reported", error: chunk };
    this.serviceTier = servedTier(chunk.service_tier) ?? this.serviceTier;
    const usage = usageIn(chunk);
    if (usage != null) this.usage = atTier(readChatUsage(usage), this.serviceTier) ?? this.usage;
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    const broken = choices.find((choice) => isObject(choice) && isBroken(choice));
    if (broken !== undefined) return { kind: "reported", error: errorOf(broken) };
    this.#start(chunk, emit);
    this.#hasTotals = chunk.usage != null && !choices.some((choice) => isObject(choice) && saysAnything(choice.delta));
    for (const choice of choices) {
      if (isObject(choice) && (choice.index ?? 0) === 0) this.#readChoice(choice, emit);
    }
    return MORE;
  }

  #start(chunk: JsonObject, emit: Emit): void {
    if (this.#ids !== null) return;
    const id = typeof chunk.id === "string" ? chunk.id : "";
    this.#ids = new CallIds(id);
    emit({ kind: "start", id, model: typeof chunk.model === "string" ? chunk.model : "", usage: this.usage });
  }

  /** Emits the stop only at the end of the stream, because some suppliers send content after a finish reason. */
  end(emit: Emit): void {
    if (this.#end === null || (this.#hasFalseEnds && !this.#hasTotals)) return;
    this.#seals(emit);
    for (const { name, text } of this.#calls.all)
      if (name === "" && text !== "") throw new Untranslatable("the supplier sent a tool call without a name");
    const contents = { toolCalls: this.#calls.all.length > 0, refusal: this.#refused };
    emit({ kind: "stop", stop: readChatStop(this.#end, contents, this.#stopSequences) });
    this.#end = null;
  }

  #readChoice(choice: JsonObject, emit: Emit): void {
    if (isObject(choice.delta) && saysAnything(choice.delta)) {
      this.#hasFalseEnds ||= this.#end !== null;
      this.#readDelta(choice.delta, emit);
    }
    if (isOver(choice.finish_reason)) this.#end = choice;
  }

  #readDelta(delta: JsonObject, emit: Emit): void {
    const thought = thoughtOf(delta);
    if (thought !== null) {
      this.#seal = thought.seal;
      this.#thought += thought.text;
      emit({ kind: "thinking", text: thought.text });
    }
    growDetails(this.#details, delta.reasoning_details);
    for (const piece of contentPieces(delta.content)) {
      if (piece.kind === "text") this.#seals(emit);
      emit(piece);
    }
    for (const picture of picturesOf(delta)) emit(picture);
    if (typeof delta.refusal === "string" && delta.refusal !== "") {
      this.#seals(emit);
      this.#refused = true;
      emit({ kind: "text", text: delta.refusal, isRefusal: true });
    }
    for (const citation of citationsOf(delta.annotations)) emit({ kind: "citation", citation });
    if (!Array.isArray(delta.tool_calls)) return;
    for (const call of delta.tool_calls) if (isObject(call)) this.#readCall(call, emit);
  }

  /** Ends the current thought and emits its seal. */
  #seals(emit: Emit): void {
    const seal = detailsSeal(this.#details, this.#thought) ?? this.#seal;
    if (seal === null) return;
    // Details without text before them are a separate thought.
    if (this.#seal === null) emit({ kind: "partEnd" });
    emit({ kind: "signature", signature: seal });
    this.#seal = null;
    this.#thought = "";
    this.#details = [];
  }

  #readCall(delta: JsonObject, emit: Emit): void {
    // Details that arrive together with open calls wait for the end of the calls.
    if (this.#seal !== null || this.#calls.all.length === 0) this.#seals(emit);
    const called = isObject(delta.function) ? delta.function : {};
    const name = typeof called.name === "string" ? called.name : "";
    const given = argumentsText(called.arguments);
    const { call, said, isNew } = this.#calls.callOf(delta, { name, given });
    if (isNew) this.#callIds.push(this.#ids!.next(call.wireId));
    const text = remainderOf(call.text, given);
    call.text += text;
    // The start of the call is deferred until its name is known.
    if (call.name === "") {
      if (said.name === "") return;
      call.name = said.name;
      const seal = sealOfCall(delta);
      if (seal !== null) {
        emit({ kind: "partEnd" });
        emit({ kind: "signature", signature: seal });
      }
      emit({ kind: "toolCall", call: call.number, id: this.#callIds[call.number]!, name: call.name });
      if (call.text !== "") emit({ kind: "toolArguments", call: call.number, text: call.text });
    } else if (text !== "") emit({ kind: "toolArguments", call: call.number, text });
  }
}

function parseChunk(data: string): JsonObject {
  let chunk: unknown;
  try {
    // Only tool calls contain numbers whose digits must be preserved.
    chunk = data.includes('"tool_calls"') ? parseExactJson(data) : parseJson(data);
  } catch {
    throw new Untranslatable("the supplier sent an event that is not JSON");
  }
  if (!isObject(chunk)) throw new Untranslatable("the supplier sent an event that is not a chunk");
  return chunk;
}
