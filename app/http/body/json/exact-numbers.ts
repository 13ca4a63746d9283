// Own code on purpose: packages for exact numbers bring their own parser, and value types that no other code
// understands.
import { randomBytes } from "node:crypto";
import { apiError } from "~/errors/app-error";
import { type Member, stringEnd } from "./json-surgery";

/** Prefix of a number that is retained as a text; random for each process, so that no body can contain it. */
const MARK = `number-${randomBytes(12).toString("hex")}:`;
const MARKED = String.raw`${MARK}([-+.\deE]+);`;
/** A marked number as a whole text, as a text inside JSON that is itself a text, or as part of a text. */
const ANY_MARKED = new RegExp(String.raw`"${MARKED}"|\\"${MARKED}\\"|${MARKED}`, "g");

/** Minimum nesting depth of retained numbers; fields that gw itself reads are less deep. */
const DEPTH = 3;

/** Maximum retained numbers in one request; each costs the time of many ordinary numbers. */
const MOST = 10_000;

type Container = Record<string, unknown> | unknown[];

/** A list or an object that contains the current position. `copy`: its copy in the new value, once there is one. */
type Level = { isList: boolean; index: number; keyStart: number; keyEnd: number; copy: Container | null };

/**
 * Retains every number of a JSON text that JavaScript would change (integers beyond 2^53, long decimals, exponents out
 * of range) as a marked text, which `exactJson` writes as it was. Copies only the lists and objects that contain such
 * numbers. `text` must have passed JSON.parse with `value` as its result. `depth`: minimum nesting depth of retained
 * numbers.
 * @throws AppError invalid_request for more than `most` such numbers.
 */
export function exactValue<Value>(value: Value, text: string, { depth = DEPTH, most = MOST } = {}): Value {
  if (!mayChange(text)) return value;
  const walk = new Walk(value, text, { depth, limit: most });
  walk.run();
  return walk.value as Value;
}

/** The same for a supplier's response, without a limit. */
export const exactAnswer = <Value>(value: Value, text: string): Value =>
  exactValue(value, text, { most: Number.POSITIVE_INFINITY });

/** The same for one top-level member of an object's text. */
export function exactMember<Value>(
  value: Value,
  name: string,
  source: { text: string; members: readonly Member[] },
): Value {
  const member = source.members.find(({ key }) => key === name);
  if (member === undefined) return value;
  return exactValue(value, source.text.slice(member.valueStart, member.valueEnd), { depth: 1 });
}

/** Restores the original numbers in JSON that was written from such a value. */
export const exactJson = (json: string): string =>
  json.includes(MARK) ? json.replace(ANY_MARKED, (_all, ...[own, inner, part]) => own ?? inner ?? part) : json;

/** Whether a text is a retained number. */
export const isKeptNumber = (text: string): boolean => text.startsWith(MARK);

/** Whether a text may contain such a number; only false is certain. */
const mayChange = (text: string): boolean => /[\d.]{15}|\d[eE][-+]?\d/.test(text);

class Walk {
  value: unknown;
  readonly #text: string;
  readonly #from: number;
  readonly #most: number;
  #kept = 0;
  readonly #levels: Level[] = [];
  #depth = 0;

  constructor(value: unknown, text: string, { depth, limit }: { depth: number; limit: number }) {
    this.value = value;
    this.#text = text;
    this.#from = depth;
    this.#most = limit;
  }

  run(): void {
    const text = this.#text;
    let stringStart = 0;
    let at = 0;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        stringStart = at;
        at = stringEnd(text, at);
        continue;
      }
      if (code === MINUS || (code >= ZERO && code <= NINE)) {
        at = this.#readNumber(at);
        continue;
      }
      if (code === COLON) {
        const level = this.#levels[this.#depth - 1]!;
        level.keyStart = stringStart;
        level.keyEnd = at;
      } else if (code === COMMA) this.#levels[this.#depth - 1]!.index += 1;
      else if (code === OPEN_OBJECT || code === OPEN_LIST) this.#open(code === OPEN_LIST);
      else if (code === CLOSE_OBJECT || code === CLOSE_LIST) this.#depth -= 1;
      at += 1;
    }
  }

  #open(isList: boolean): void {
    const level = { isList, index: 0, keyStart: 0, keyEnd: 0, copy: null };
    this.#levels[this.#depth] = level;
    this.#depth += 1;
  }

  #readNumber(from: number): number {
    const text = this.#text;
    let end = from + 1;
    while (isNumeral(text.charCodeAt(end))) end += 1;
    if (this.#depth >= this.#from && this.#depth > 0) {
      const written = text.slice(from, end);
      if (isChanged(written)) this.#keep(written);
    }
    return end;
  }

  #keep(written: string): void {
    this.#kept += 1;
    if (this.#kept > this.#most)
      throw apiError("invalid_request", {
        userMessage: `The request has more than ${this.#most} numbers that are too long to be read exactly. Send them as texts.`,
      });
    for (let depth = 0; depth < this.#depth; depth += 1) {
      const level = this.#levels[depth]!;
      if (level.copy !== null) continue;
      const original = depth === 0 ? this.value : this.#member(depth - 1);
      // The value has only the last member of a repeated name.
      if (typeof original !== "object" || original === null || Array.isArray(original) !== level.isList) return;
      level.copy = Array.isArray(original) ? [...original] : { ...original };
      if (depth === 0) this.value = level.copy;
      else this.#setMember(depth - 1, level.copy);
    }
    this.#setMember(this.#depth - 1, `${MARK}${written};`);
  }

  #member(depth: number): unknown {
    return (this.#levels[depth]!.copy as Record<string | number, unknown>)[this.#keyAt(depth)];
  }

  #setMember(depth: number, value: unknown): void {
    (this.#levels[depth]!.copy as Record<string | number, unknown>)[this.#keyAt(depth)] = value;
  }

  #keyAt(depth: number): string | number {
    const { isList, index, keyStart, keyEnd } = this.#levels[depth]!;
    return isList ? index : (JSON.parse(this.#text.slice(keyStart, keyEnd)) as string);
  }
}

/** Whether JavaScript would write another number. It never does for up to fifteen digits. */
function isChanged(written: string): boolean {
  if (written.length < 16 && !written.includes("e") && !written.includes("E")) return false;
  const value = Number(written);
  if (!Number.isFinite(value) || written.length > MAX_LENGTH) return true;
  return decimal(written) !== decimal(String(value));
}

/** Maximum length of a number to compare; no double has as many digits. */
const MAX_LENGTH = 400;

/** Returns a canonical form of a number: its significant digits and the power of ten of the last one. */
function decimal(written: string): string {
  const [mantissa = "", exponent = "0"] = written.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${written.startsWith("-") ? "-" : ""}${significant}e${power}`;
}

const isNumeral = (code: number): boolean =>
  (code >= ZERO && code <= NINE) || code === DOT || code === PLUS || code === MINUS || code === 101 || code === 69;

const QUOTE = 34;
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
