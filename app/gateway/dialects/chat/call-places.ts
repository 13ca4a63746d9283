import { exactJson } from "~/http/body/json/exact-numbers";
import { isObject, type JsonObject } from "../wire/events/reading";
import type { SseEvent } from "../wire/events/sse";
import { CallIds } from "../wire/identifiers";
import { decoded, parseExactJson } from "../wire/long-texts";
import { type OpenCall, OpenCalls, remainderOf } from "./open-calls";
import { argumentsText } from "./read-answer";

/** Matches a call that begins, repeats its name or id, or has an object as its arguments instead of text. */
const BEGINS_OR_IS_ODD = /"tool_calls":\s*\[\s*\{.*(?:"(?:name|id)":\s*"[^"]|"arguments":\s*\{)/s;
const HAS_CALLS = /"tool_calls":\s*\[\s*\{/;
/** Matches a piece of a call that has an index. */
const HAS_INDEX = /"tool_calls":\s*\[\s*\{[^\]]*"index":\s*\d/;

/** Whether a chunk must be parsed for its tool calls. Most pieces contain only an index and more argument text. */
export function hasCallToRead(data: string): boolean {
  const at = data.indexOf('"tool_calls"');
  if (at < 0) return false;
  return BEGINS_OR_IS_ODD.test(data) || (HAS_CALLS.test(data) && !HAS_INDEX.test(data));
}

/**
 * Completes the tool calls of a stream for client libraries, which require an index in every piece, an id per call, and
 * arguments as text. Some suppliers omit these members, or use the same index for all calls.
 */
export class CallPlaces {
  readonly #choices = new Map<unknown, { calls: OpenCalls; places: Map<OpenCall, number> }>();
  #ids: CallIds | null = null;
  /** Some call has another index than the supplier's. */
  hasMoved = false;

  /** Returns the same event, or one with all required members. */
  fit(event: SseEvent): SseEvent {
    const { data } = event;
    if (!(this.hasMoved ? data.includes('"tool_calls"') : hasCallToRead(data))) return event;
    let wire: unknown;
    try {
      wire = parseExactJson(data);
    } catch {
      return event;
    }
    if (!isObject(wire) || !Array.isArray(wire.choices)) return event;
    this.#ids ??= new CallIds(typeof wire.id === "string" ? wire.id : "");
    const choices = wire.choices.map((choice) => this.#choice(choice));
    if (choices.every((choice, at) => choice === (wire.choices as unknown[])[at])) return event;
    const fit = exactJson(JSON.stringify({ ...wire, choices }));
    return { ...event, data: fit, bytes: Buffer.from(`data: ${fit}\n\n`) };
  }

  #choice(choice: unknown): unknown {
    if (!isObject(choice) || !isObject(choice.delta) || !Array.isArray(choice.delta.tool_calls)) return choice;
    const pieces: readonly unknown[] = choice.delta.tool_calls;
    const calls = pieces.map((call) => (isObject(call) ? this.#piece(choice.index ?? 0, call) : call));
    if (calls.every((call, at) => call === pieces[at])) return choice;
    return { ...choice, delta: { ...choice.delta, tool_calls: calls } };
  }

  /**
   * Returns a piece of a call in which ids, names and arguments are not repeated, because libraries concatenate them.
   */
  #piece(choice: unknown, piece: JsonObject): JsonObject {
    const { calls, places } = this.#of(choice);
    const called = isObject(piece.function) ? piece.function : {};
    const name = typeof called.name === "string" ? called.name : "";
    const argumentText = argumentsText(called.arguments);
    const { call, said, isNew } = calls.callOf(piece, { name, given: argumentText });
    // A supplier that repeats the name of a call may repeat its arguments as well.
    const text = name === "" ? argumentText : remainderOf(call.text, argumentText);
    const nameText = said.name.startsWith(call.name) ? said.name.slice(call.name.length) : said.name;
    call.text += text;
    call.name += nameText;
    const place = places.get(call) ?? freePlace(places, piece.index);
    places.set(call, place);
    this.hasMoved ||= piece.index != null && place !== piece.index;
    const isSaid = nameText === name && text === argumentText && isText(called.arguments);
    const isOwn = isNew ? hasId(piece) : piece.id == null;
    if (place === piece.index && isSaid && isOwn) return piece;
    const { index: _index, id: _id, function: _called, ...rest } = piece;
    const { name: _name, arguments: _arguments, ...more } = called;
    return {
      index: place,
      ...(isNew ? { id: call.wireId || this.#ids!.next("") } : {}),
      ...rest,
      function: { ...(nameText === "" ? {} : { name: nameText }), ...more, arguments: text },
    };
  }

  #of(choice: unknown): { calls: OpenCalls; places: Map<OpenCall, number> } {
    const known = this.#choices.get(choice) ?? { calls: new OpenCalls(), places: new Map() };
    this.#choices.set(choice, known);
    return known;
  }
}

/** Returns the supplier's index of a call, or a free one if another call has it. */
function freePlace(places: ReadonlyMap<OpenCall, number>, index: unknown): number {
  const taken = [...places.values()];
  return Number.isSafeInteger(index) && !taken.includes(index as number)
    ? (index as number)
    : Math.max(-1, ...taken) + 1;
}

const isText = (value: unknown): boolean => value == null || typeof value === "string";
const hasId = ({ id }: JsonObject): boolean => typeof id === "string" && id !== "";
const isFit = (call: unknown): boolean =>
  !isObject(call) || !isObject(call.function) || (hasId(call) && isText(call.function.arguments));

type Message = { tool_calls?: unknown };
type Choice = { message?: Message } | null;

/** Returns the same bytes, or those of an answer with ids of all calls and arguments as text. */
export function withFitCalls(body: Buffer, choices: readonly Choice[]): Buffer {
  const callsOf = (choice: Choice): readonly unknown[] =>
    Array.isArray(choice?.message?.tool_calls) ? choice.message.tool_calls : [];
  if (choices.every((choice) => callsOf(choice).every(isFit))) return body;
  const wire = parseExactJson(decoded(body)) as JsonObject & { choices: Choice[] };
  const ids = new CallIds(typeof wire.id === "string" ? wire.id : "");
  const fit = (call: unknown) => (isFit(call) ? call : fitCall(call as JsonObject & { function: JsonObject }, ids));
  for (const choice of wire.choices) if (choice?.message != null) choice.message.tool_calls = callsOf(choice).map(fit);
  return Buffer.from(exactJson(JSON.stringify(wire)));
}

const fitCall = (call: JsonObject & { function: JsonObject }, ids: CallIds): JsonObject => ({
  ...call,
  id: hasId(call) ? call.id : ids.next(""),
  function: { ...call.function, arguments: argumentsText(call.function.arguments) },
});
