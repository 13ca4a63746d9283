import type { ServiceTier } from "~/domain/catalogue/shared";
import { exactAnswer } from "~/http/exact-numbers";
import type { Usage } from "../../canonical/usage";
import { CallIds } from "../wire/identifiers";
import { type Emit, FINISHED, MORE, type PartReader, Untranslatable, type Verdict } from "../wire/parts";
import { isObject, type JsonObject } from "../wire/reading";
import { atTier, servedTier } from "../wire/service-tier";
import type { SseEvent } from "../wire/sse";
import { sealOfCall, thoughtOf } from "../wire/thoughts";
import { isBroken } from "./answer";
import { citationsOf, contentPieces } from "./content";
import { argumentsText } from "./read-answer";
import { readChatStop } from "./stops";
import { isDone } from "./stream";
import { readChatUsage } from "./usage";

/** A tool call in flight. Its start is held back until its name is known. */
type OpenCall = { number: number; wireId: string; id: string; announced: boolean; held: string };

/** Takes the chunks of a chat-style stream apart: its first choice, and usage wherever it comes. */
export class ChatPartReader implements PartReader {
  usage: Usage | null = null;
  readonly promptUsage = null;
  serviceTier: ServiceTier | undefined;
  readonly #stopSequences: readonly string[];
  readonly #calls = new Map<unknown, OpenCall>();
  #ids: CallIds | null = null;
  #callCount = 0;
  #newest: OpenCall | null = null;
  #seal: string | null = null;
  #refused = false;
  #stopped = false;

  constructor(stopSequences: readonly string[]) {
    this.#stopSequences = stopSequences;
  }

  read(event: SseEvent, emit: Emit): Verdict {
    if (isDone(event)) return FINISHED;
    const chunk = parseChunk(event.data);
    if (chunk.error != null || event.event === "error") return { kind: "reported", error: chunk };
    this.serviceTier = servedTier(chunk.service_tier) ?? this.serviceTier;
    if (chunk.usage != null) this.usage = atTier(readChatUsage(chunk.usage), this.serviceTier) ?? this.usage;
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    const broken = choices.find((choice) => isObject(choice) && isBroken(choice));
    if (broken !== undefined) return { kind: "reported", error: broken };
    this.#start(chunk, emit);
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

  #readChoice(choice: JsonObject, emit: Emit): void {
    if (this.#stopped) return;
    if (isObject(choice.delta)) this.#readDelta(choice.delta, emit);
    if (choice.finish_reason == null) return;
    this.#stopped = true;
    this.#seals(emit);
    for (const call of this.#calls.values())
      if (!call.announced && call.held !== "") throw new Untranslatable("the supplier sent a tool call without a name");
    const made = { toolCalls: this.#callCount > 0, refusal: this.#refused };
    emit({ kind: "stop", stop: readChatStop(choice, made, this.#stopSequences) });
  }

  #readDelta(delta: JsonObject, emit: Emit): void {
    const thought = thoughtOf(delta);
    if (thought !== null) {
      this.#seal = thought.seal;
      emit({ kind: "thinking", text: thought.text });
    }
    for (const piece of contentPieces(delta.content)) {
      if (piece.kind === "text") this.#seals(emit);
      emit(piece);
    }
    if (typeof delta.refusal === "string" && delta.refusal !== "") {
      this.#seals(emit);
      this.#refused = true;
      emit({ kind: "text", text: delta.refusal, isRefusal: true });
    }
    for (const citation of citationsOf(delta.annotations)) emit({ kind: "citation", citation });
    if (!Array.isArray(delta.tool_calls)) return;
    for (const call of delta.tool_calls) if (isObject(call)) this.#readCall(call, emit);
  }

  /** A thought is over: its seal follows. */
  #seals(emit: Emit): void {
    if (this.#seal === null) return;
    emit({ kind: "signature", signature: this.#seal });
    this.#seal = null;
  }

  #readCall(delta: JsonObject, emit: Emit): void {
    this.#seals(emit);
    const call = this.#callOf(delta);
    const called = isObject(delta.function) ? delta.function : {};
    if (!call.announced && typeof called.name === "string" && called.name !== "") {
      call.announced = true;
      const seal = sealOfCall(delta);
      if (seal !== null) {
        emit({ kind: "partEnd" });
        emit({ kind: "signature", signature: seal });
      }
      emit({ kind: "toolCall", call: call.number, id: call.id, name: called.name });
      if (call.held !== "") emit({ kind: "toolArguments", call: call.number, text: call.held });
    }
    const text = argumentsText(called.arguments);
    if (text === "") return;
    if (call.announced) emit({ kind: "toolArguments", call: call.number, text });
    else call.held += text;
  }

  /**
   * The call that a delta belongs to. Suppliers number their calls by `index`; some leave it out, and some give every
   * call the same one and only change the id.
   */
  #callOf({ index, id }: JsonObject): OpenCall {
    const wireId = typeof id === "string" ? id : "";
    const known =
      index == null ? (wireId === "" || wireId === this.#newest?.wireId ? this.#newest : null) : this.#calls.get(index);
    if (known != null && (wireId === "" || known.wireId === "" || wireId === known.wireId)) return known;
    const call = { number: this.#callCount, wireId, id: this.#ids!.next(wireId), announced: false, held: "" };
    this.#callCount += 1;
    this.#newest = call;
    this.#calls.set(index, call);
    return call;
  }
}

function parseChunk(data: string): JsonObject {
  let chunk: unknown;
  try {
    chunk = exactAnswer(JSON.parse(data), data);
  } catch {
    throw new Untranslatable("the supplier sent an event that is not JSON");
  }
  if (!isObject(chunk)) throw new Untranslatable("the supplier sent an event that is not a chunk");
  return chunk;
}
