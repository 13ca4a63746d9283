import type { ServiceTier } from "~/domain/catalogue/shared";
import type { Usage } from "../../canonical/usage";
import { CallIds } from "../wire/identifiers";
import { parseExactJson } from "../wire/long-texts";
import { type Emit, FINISHED, MORE, type PartReader, Untranslatable, type Verdict } from "../wire/parts";
import { isObject, type JsonObject } from "../wire/reading";
import { atTier, servedTier } from "../wire/service-tier";
import type { SseEvent } from "../wire/sse";
import { detailsSeal, sealOfCall, thoughtOf } from "../wire/thoughts";
import { errorOf, isBroken, saysAnything } from "./answer";
import { citationsOf, contentPieces, picturesOf } from "./content";
import { argumentsText } from "./read-answer";
import { isOver, readChatStop } from "./stops";
import { isDone } from "./stream";
import { growDetails } from "./thought-details";
import { readChatUsage, usageIn } from "./usage";

/** A tool call in flight. Its start is held back until its name is known; `text` is all of its arguments so far. */
type OpenCall = { number: number; wireId: string; id: string; name: string; text: string };

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
  /** The thought that is not sealed yet, and what its supplier tells of it beside. */
  #thought = "";
  #details: unknown[] = [];
  #refused = false;
  /** The choice as it said that it is over, and whether one went on all the same: then only a last event is an end. */
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
    if (chunk.error != null || event.event === "error") return { kind: "reported", error: chunk };
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

  /** An end that other content follows was none: the stop is told once nothing can follow any more. */
  end(emit: Emit): void {
    if (this.#end === null || (this.#hasFalseEnds && !this.#hasTotals)) return;
    this.#seals(emit);
    for (const { name, text } of this.#calls.values())
      if (name === "" && text !== "") throw new Untranslatable("the supplier sent a tool call without a name");
    const made = { toolCalls: this.#callCount > 0, refusal: this.#refused };
    emit({ kind: "stop", stop: readChatStop(this.#end, made, this.#stopSequences) });
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

  /** A thought is over: its seal follows. */
  #seals(emit: Emit): void {
    const seal = detailsSeal(this.#details, this.#thought) ?? this.#seal;
    if (seal === null) return;
    // Without words before it, it is a thought of its own.
    if (this.#seal === null) emit({ kind: "partEnd" });
    emit({ kind: "signature", signature: seal });
    this.#seal = null;
    this.#thought = "";
    this.#details = [];
  }

  #readCall(delta: JsonObject, emit: Emit): void {
    // What is told beside calls that have begun waits for their end.
    if (this.#seal !== null || this.#callCount === 0) this.#seals(emit);
    const called = isObject(delta.function) ? delta.function : {};
    const name = typeof called.name === "string" ? called.name : "";
    const given = argumentsText(called.arguments);
    const call = this.#callOf(delta, { name, given });
    // What is told again from its beginning is not told twice: no object begins with all of itself so far.
    const text = call.text.startsWith("{") && given.startsWith(call.text) ? given.slice(call.text.length) : given;
    call.text += text;
    if (call.name === "") {
      if (name === "") return;
      call.name = name;
      const seal = sealOfCall(delta);
      if (seal !== null) {
        emit({ kind: "partEnd" });
        emit({ kind: "signature", signature: seal });
      }
      emit({ kind: "toolCall", call: call.number, id: call.id, name });
      if (call.text !== "") emit({ kind: "toolArguments", call: call.number, text: call.text });
    } else if (text !== "") emit({ kind: "toolArguments", call: call.number, text });
  }

  /**
   * The call that a delta belongs to. Suppliers number their calls by `index`; some leave it out, and some give every
   * call the same one and only change the id, or nothing but the name.
   */
  #callOf({ index, id }: JsonObject, { name, given }: { name: string; given: string }): OpenCall {
    const wireId = typeof id === "string" ? id : "";
    const known =
      index == null ? (wireId === "" || wireId === this.#newest?.wireId ? this.#newest : null) : this.#calls.get(index);
    if (known != null && !isAnother(known, { wireId, name, given })) return known;
    const call = { number: this.#callCount, wireId, id: this.#ids!.next(wireId), name: "", text: "" };
    this.#callCount += 1;
    this.#newest = call;
    this.#calls.set(index, call);
    return call;
  }
}

/** Whether a delta begins a call of its own: by another id, or else by a name behind arguments that are whole. */
function isAnother(known: OpenCall, { wireId, name, given }: { wireId: string; name: string; given: string }): boolean {
  if (wireId !== "" && known.wireId !== "") return wireId !== known.wireId;
  if (name === "" || known.name === "" || !(known.text === "" ? given !== "" : isWhole(known.text))) return false;
  return name !== known.name || !given.startsWith(known.text);
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function parseChunk(data: string): JsonObject {
  let chunk: unknown;
  try {
    chunk = parseExactJson(data);
  } catch {
    throw new Untranslatable("the supplier sent an event that is not JSON");
  }
  if (!isObject(chunk)) throw new Untranslatable("the supplier sent an event that is not a chunk");
  return chunk;
}
