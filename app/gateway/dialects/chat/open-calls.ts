import type { JsonObject } from "../wire/events/reading";

/** A tool call in flight. `wireId`: the supplier's id, "" for none; `text`: its arguments so far. */
export type OpenCall = { readonly number: number; readonly wireId: string; name: string; text: string };

/** Name and arguments in a piece of a call, "" for none. */
export type Said = { name: string; given: string };

/**
 * The tool calls of one choice of a chat-style stream, in the order in which they begin. Suppliers number them by
 * `index`. Some omit it, and some use the same index for all calls and change only the id, or only the name.
 */
export class OpenCalls {
  readonly #byIndex = new Map<unknown, OpenCall>();
  readonly #calls: OpenCall[] = [];

  get all(): readonly OpenCall[] {
    return this.#calls;
  }

  /** Returns the call that a piece belongs to, with the name and arguments of the piece. */
  callOf({ index, id }: JsonObject, said: Said): { call: OpenCall; said: Said; isNew: boolean } {
    const wireId = typeof id === "string" ? id : "";
    const newest = this.#calls.at(-1) ?? null;
    const known =
      index == null ? (wireId === "" || wireId === newest?.wireId ? newest : null) : (this.#byIndex.get(index) ?? null);
    if (known !== null && isNext(known, { wireId, ...said }))
      return this.#begin(index, "", { ...said, name: known.name });
    if (known !== null && !isAnother(known, { wireId, ...said })) return { call: known, said, isNew: false };
    return this.#begin(index, wireId, said);
  }

  #begin(index: unknown, wireId: string, said: Said): { call: OpenCall; said: Said; isNew: boolean } {
    const call = { number: this.#calls.length, wireId, name: "", text: "" };
    this.#calls.push(call);
    this.#byIndex.set(index, call);
    return { call, said, isNew: true };
  }
}

type Piece = Said & { wireId: string };

/** Whether a piece begins another call: it has another id, or a name after complete arguments. */
function isAnother(known: OpenCall, { wireId, name, given }: Piece): boolean {
  if (wireId !== "" && known.wireId !== "") return wireId !== known.wireId;
  if (name === "" || known.name === "" || !(known.text === "" ? given !== "" : isWhole(known.text))) return false;
  // Some suppliers repeat the name in each piece of a call.
  return name !== known.name || (given !== "" && !given.startsWith(known.text));
}

/**
 * Whether a piece without a name begins another call of the same function. Arguments are one object, so a second object
 * belongs to another call, unless it repeats the first.
 */
const isNext = (known: OpenCall, { wireId, name, given }: Piece): boolean =>
  wireId === "" &&
  name === "" &&
  given.startsWith("{") &&
  known.text.endsWith("}") &&
  !given.startsWith(known.text) &&
  isWhole(known.text);

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the new part of arguments that the supplier may repeat from the start. A piece that begins with everything so
 * far is a repetition, because no JSON object continues that way.
 */
export const remainderOf = (sent: string, full: string): string =>
  sent.startsWith("{") && full.startsWith(sent) ? full.slice(sent.length) : full;
