import { apiError } from "~/errors/app-error";
import type { Member } from "./json-surgery";
import { membersInValue } from "./member-count";

/** Limits of a body, far above real ones: coding agents send a few thousand members, about ten levels deep. */
const MAX_DEPTH = 500;
/** Maximum members of one object; the time per member grows with their number. */
const MAX_OBJECT_MEMBERS = 10_000;
const MAX_MEMBERS = 250_000;
/** Maximum number of texts, lists and objects together; member names count as texts. */
const MAX_VALUES = 1_000_000;

/** Estimated cost of parsing, in units of about 30 ns. */
const COST = { member: 32, container: 8, text: 8, comma: 1 };
const CHARACTERS_A_UNIT = 8;
/** Cost of a piece that is parsed at once: one or two milliseconds. */
const PIECE_COST = 40_000;
/** Maximum characters or quotes examined in one step. */
const STEP = 64 * 1024;

type Container = Record<string, unknown> | unknown[];

/** A list or an object that has begun but not ended. */
class Frame {
  /** Index of its opening bracket, and index where its unparsed part begins. */
  start = 0;
  from = 0;
  isList = false;
  members = 0;
  keyStart = -1;
  keyEnd = -1;
  /** Its parsed part; null while all of it can still be parsed together with its parent. */
  value: Container | null = null;
  /** The token before `from`. */
  behind: "opening" | "comma" | "child" = "opening";
}

/**
 * A JSON parser that works in steps: it finds positions where lists and objects can be split, and parses the pieces
 * between them with JSON.parse. It accepts the same texts and returns the same values as JSON.parse. It also limits
 * depth and number of members before it creates them.
 */
export class PieceParser {
  value: unknown = undefined;
  readonly members: Member[] = [];
  readonly #text: string;
  readonly #pieceCost: number;
  readonly #step: number;
  #at = 0;
  #cost = 0;
  /** Total cost of the parsed pieces. */
  #parsedCost = 0;
  #allMembers = 0;
  /** Number of members in the value, repeated names counted once. */
  #keptMembers = 0;
  #allValues = 0;
  #depth = 0;
  readonly #frames: Frame[] = [];
  /** Start of the text that is being read, or -1; below it, start and end of the last text. */
  #quote = -1;
  #textStart = -1;
  #textEnd = -1;
  #hasRoot = false;
  #isDone = false;

  constructor(text: string, { pieceCost = PIECE_COST, step = STEP }: { pieceCost?: number; step?: number } = {}) {
    this.#text = text;
    this.#pieceCost = pieceCost;
    this.#step = step;
  }

  /** Whether some object repeats a name, so that `value` has only its last member. Valid after the last step. */
  get namesTwice(): boolean {
    return this.#keptMembers < this.#allMembers;
  }

  /**
   * Advances by one step of about a millisecond. Returns true once `value` and `members` are complete.
   * @throws SyntaxError; AppError invalid_json, request_too_large
   */
  advance(): boolean {
    if (this.#isDone) return true;
    const text = this.#text;
    const costBefore = this.#cost;
    for (let steps = 0; this.#at < text.length; steps += 1) {
      if (steps >= this.#step || this.#cost - costBefore > this.#pieceCost) return false;
      if (this.#quote >= 0) this.#readText();
      else this.#read(text.charCodeAt(this.#at));
    }
    this.#finish();
    return true;
  }

  #read(code: number): void {
    switch (code) {
      case QUOTE:
        this.#quote = this.#at;
        this.#countValue(COST.text);
        break;
      case COLON:
        this.#onColon();
        break;
      case COMMA:
        this.#cost += COST.comma;
        this.#onComma();
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        this.#open(code === OPEN_LIST);
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        this.#close(code === CLOSE_LIST);
        break;
      default:
    }
    this.#at += 1;
  }

  /** Searches for the end of a text, one quote at a time. */
  #readText(): void {
    const end = this.#text.indexOf('"', this.#at);
    if (end < 0) throw new SyntaxError("a text has no end");
    let backslashes = 0;
    while (this.#text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    this.#at = end + 1;
    if (backslashes % 2 === 1) return;
    this.#cost += (end - this.#quote) / CHARACTERS_A_UNIT;
    this.#textStart = this.#quote;
    this.#textEnd = end + 1;
    this.#quote = -1;
  }

  #onColon(): void {
    const frame = this.#frame();
    if (frame === undefined || frame.isList) throw new SyntaxError("a colon outside of an object");
    this.#cost += COST.member;
    frame.members += 1;
    this.#allMembers += 1;
    if (frame.members > MAX_OBJECT_MEMBERS)
      throw tooMuch(`An object of the request body has more than ${MAX_OBJECT_MEMBERS} members.`);
    if (this.#allMembers > MAX_MEMBERS) throw tooMuch(`The request body has more than ${MAX_MEMBERS} members.`);
    frame.keyStart = this.#textStart;
    frame.keyEnd = this.#textEnd;
    if (this.#depth > 1) return;
    const key = this.#text.slice(this.#textStart + 1, this.#textEnd - 1);
    const valueStart = pastSpace(this.#text, this.#at + 1);
    this.members.push({ key, keyStart: this.#textStart, valueStart, valueEnd: -1 });
  }

  #onComma(): void {
    const frame = this.#frame();
    if (frame === undefined) throw new SyntaxError("a comma outside of a list or an object");
    this.#endMember();
    if (frame.behind !== "child" && this.#cost - this.#parsedCost <= this.#pieceCost) return;
    this.#take(this.#depth - 1, this.#at);
    this.#goOn(frame, "comma");
  }

  #open(isList: boolean): void {
    this.#countValue(COST.container);
    if (this.#depth === 0 && this.#hasRoot) throw new SyntaxError("there is something behind the end");
    if (this.#depth >= MAX_DEPTH) throw tooDeep();
    this.#hasRoot = true;
    this.#frames[this.#depth] ??= new Frame();
    const frame = this.#frames[this.#depth]!;
    frame.start = this.#at;
    frame.isList = isList;
    frame.members = 0;
    frame.value = null;
    frame.keyStart = -1;
    this.#depth += 1;
    this.#goOn(frame, "opening");
  }

  #close(isList: boolean): void {
    const frame = this.#frame();
    if (frame === undefined || frame.isList !== isList) throw new SyntaxError("a bracket that does not fit");
    this.#endMember();
    if (frame.value !== null) this.#take(this.#depth - 1, this.#at);
    this.#depth -= 1;
    const parent = this.#frame();
    if (parent === undefined) this.#endRoot(frame);
    else if (frame.value !== null) this.#goOn(parent, "child");
  }

  #goOn(frame: Frame, behind: Frame["behind"]): void {
    frame.from = this.#at + 1;
    frame.behind = behind;
  }

  /** Parses the piece between `from` and `end` of a frame. */
  #take(depth: number, end: number): void {
    const value = this.#valueAt(depth);
    const frame = this.#frames[depth]!;
    const piece = this.#text.slice(frame.from, end);
    if (frame.behind === "child") {
      if (!isSpace(piece)) throw new SyntaxError("a comma is missing");
      return;
    }
    this.#keptMembers += addTo(value, piece);
    this.#parsedCost = this.#cost;
  }

  /** Returns the value of a frame; from then on it is built from pieces instead of being parsed with its parent. */
  #valueAt(depth: number): Container {
    const frame = this.#frames[depth]!;
    if (frame.value !== null) return frame.value;
    const value: Container = frame.isList ? [] : {};
    if (depth > 0) this.#attach(depth - 1, frame.start, value);
    frame.value = value;
    return value;
  }

  /** Adds a child that begins at `start` to its parent, after all parent values that precede it. */
  #attach(depth: number, start: number, child: Container): void {
    const value = this.#valueAt(depth);
    const parent = this.#frames[depth]!;
    if (parent.behind === "child") throw new SyntaxError("a comma is missing");
    const end = parent.isList ? start : parent.keyStart;
    if (end < parent.from) throw new SyntaxError("a value without a name");
    const before = this.#text.slice(parent.from, end);
    if (!isSpace(before)) this.#keptMembers += addTo(value, withoutComma(before));
    if (Array.isArray(value)) {
      value.push(child);
      return;
    }
    const between = this.#text.slice(parent.keyEnd, start);
    if (!/^[ \t\n\r]*:[ \t\n\r]*$/.test(between)) throw new SyntaxError("a colon is missing");
    this.#keptMembers += define(value, JSON.parse(this.#text.slice(parent.keyStart, parent.keyEnd)), child);
  }

  #endRoot(frame: Frame): void {
    const before = this.#text.slice(0, frame.start);
    if (!isSpace(before)) throw new SyntaxError("there is something in front of the beginning");
    const end = this.#at + 1;
    this.value = frame.value ?? JSON.parse(this.#text.slice(frame.start, end));
    if (frame.value === null) this.#keptMembers = membersInValue(this.value);
    frame.from = end;
  }

  #finish(): void {
    if (this.#quote >= 0 || this.#depth > 0) throw new SyntaxError("the text ends too early");
    if (!this.#hasRoot) this.value = JSON.parse(this.#text);
    else if (!isSpace(this.#text.slice(this.#frames[0]!.from)))
      throw new SyntaxError("there is something behind the end");
    for (const member of this.members) if (member.key.includes("\\")) member.key = JSON.parse(`"${member.key}"`);
    this.#isDone = true;
  }

  #endMember(): void {
    const member = this.#depth === 1 ? this.members.at(-1) : undefined;
    if (member === undefined || member.valueEnd >= 0) return;
    let end = this.#at;
    while (isSpaceCode(this.#text.charCodeAt(end - 1))) end -= 1;
    member.valueEnd = end;
  }

  #countValue(cost: number): void {
    this.#cost += cost;
    this.#allValues += 1;
    if (this.#allValues > MAX_VALUES)
      throw tooMuch(`The request body has more than ${MAX_VALUES} texts, lists and objects.`);
  }

  #frame(): Frame | undefined {
    return this.#depth === 0 ? undefined : this.#frames[this.#depth - 1];
  }
}

/**
 * Adds the values of a piece, at least one, to a list or an object. Returns the number of members added, at all depths.
 */
function addTo(value: Container, piece: string): number {
  if (Array.isArray(value)) {
    const values = JSON.parse(`[${piece}]`) as unknown[];
    if (values.length === 0) throw new SyntaxError("a value is missing");
    for (const each of values) value.push(each);
    return membersInValue(values);
  }
  const members = JSON.parse(`{${piece}}`) as Record<string, unknown>;
  const names = Object.keys(members);
  if (names.length === 0) throw new SyntaxError("a member is missing");
  let count = membersInValue(members) - names.length;
  for (const name of names) count += define(value, name, members[name]);
  return count;
}

/** Sets a member as JSON.parse does: `__proto__` is an ordinary name. Returns the change in the number of members. */
function define(object: Record<string, unknown>, name: string, value: unknown): number {
  const isNew = !Object.hasOwn(object, name);
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  return isNew ? 1 : 0;
}

function withoutComma(piece: string): string {
  let end = piece.length;
  while (isSpaceCode(piece.charCodeAt(end - 1))) end -= 1;
  if (piece.charCodeAt(end - 1) !== COMMA) throw new SyntaxError("a comma is missing");
  return piece.slice(0, end - 1);
}

function pastSpace(text: string, from: number): number {
  let at = from;
  while (isSpaceCode(text.charCodeAt(at))) at += 1;
  return at;
}

const isSpace = (text: string) => /^[ \t\n\r]*$/.test(text);
const isSpaceCode = (code: number) => code === 32 || code === 10 || code === 13 || code === 9;

const tooDeep = () =>
  apiError("invalid_json", {
    userMessage: `The request body is nested too deeply: at most ${MAX_DEPTH} levels are read.`,
  });
const tooMuch = (userMessage: string) => apiError("request_too_large", { userMessage });

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
