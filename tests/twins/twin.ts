import type { IncomingMessage } from "node:http";

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape, which is what a twin looks into
export type Json = any;

/** A request as it came. */
export type Received = { path: string; query: URLSearchParams; request: IncomingMessage; text: string; body: Json };

export type Refusal = { message: string; status?: number; param?: string; code?: string; type?: string };

/** One thing that a vendor does not take: where that is said, and since when it is known. */
export type Rule = {
  rule: string;
  source: string;
  date: string;
  check(body: Json, memory: Memory, received: Received): Refusal | string | undefined;
};

/** A request's meaning, whatever its format: all that the scripted model goes by. */
export type Heard = {
  /** What the model is told beside the prompt, and the prompt. */
  text: string;
  tools: readonly string[];
  /** Results of tools, in their order. */
  results: readonly string[];
  pictures: number;
  thinks: boolean;
  hasSchema: boolean;
};

/** What the scripted model answers. The input of a call has 64-bit integers as `exactly()` gives them. */
export type Said = {
  thoughts: readonly string[];
  text: string;
  calls: readonly { name: string; input: object }[];
  picture?: string;
};

/** What one answer costs, as gateways book it: all of the prompt, and all that was written with its thoughts. */
export type Counted = { input: number; cached: number; output: number; reasoning: number };

export type Turn = {
  serial: number;
  model: string;
  stream: boolean;
  body: Json;
  counted: Counted;
  memory: Memory;
};

export type Reply = { status: number; headers: Record<string, string>; chunks: readonly (string | Buffer)[] };

/** One endpoint of a vendor: its rules, how it is understood, how it answers and how it refuses. */
export type Api = {
  path: RegExp;
  rules: readonly Rule[];
  /** Where the request says that it wants a stream. */
  isStream?(received: Received): boolean;
  hear(body: Json): Heard;
  say(said: Said, turn: Turn): Reply;
  refuse(refusal: Refusal): Reply;
  /** Its usage says how much was cached; absent: it does. */
  tellsCached?: false;
};

/** A stand-in for one vendor and model that refuses what they refuse. */
export type Twin = {
  name: string;
  /** The rest of its address behind the prefix, as its base URL has it. */
  base: string;
  model: string;
  /** Its entry in the catalogue, without its address; its name is the twin's unless it says another. */
  supplier: object;
  /** More of its route in the catalogue. */
  route?: object;
  apis: readonly Api[];
  /** Twins with one name here take each other's seals: signatures of Claude hold on every platform that serves it, those of Gemini in both its APIs. */
  seals?: string;
};

/** What a twin has said before. Seals are the texts that only it can have made. */
export class Memory {
  readonly seals: Map<string, string>;
  /** Calls by their id: the seal that has to come back with them. */
  readonly calls = new Map<string, string | null>();
  #serial = 0;

  constructor(seals: Map<string, string> = new Map()) {
    this.seals = seals;
  }

  next(): number {
    this.#serial += 1;
    return this.#serial;
  }

  seal(serial: number, about: string): string {
    const seal = Buffer.from(`sealed ${this.seals.size} ${serial} ${about.length}`).toString("base64");
    this.seals.set(seal, about);
    return seal;
  }
}

/** A refusal in one sentence is a 400. */
export const asRefusal = (refusal: Refusal | string): Refusal =>
  typeof refusal === "string" ? { message: refusal } : refusal;

const MARK = "#int:";
const TEXT_OR_LONG_INTEGER = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;

/** Parses JSON and keeps integers that no double can hold, as marked texts. */
export const parseExactly = (text: string): Json =>
  JSON.parse(text.replace(TEXT_OR_LONG_INTEGER, (token) => (token.startsWith('"') ? token : `"${MARK}${token}"`)));

/** An integer of any length, as a value of what `writeExactly` writes. */
export const exactly = (digits: string): string => MARK + digits;

export const writeExactly = (value: unknown): string =>
  JSON.stringify(value).replace(new RegExp(`"${MARK}(-?\\d+)"`, "g"), "$1");

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  chunks: [writeExactly(body)],
});

export const eventStream = (chunks: readonly string[], headers: Record<string, string> = {}): Reply => ({
  status: 200,
  headers: { "content-type": "text/event-stream; charset=utf-8", ...headers },
  chunks,
});

export const dataEvent = (data: unknown): string => `data: ${writeExactly(data)}\n\n`;
export const namedEvent = (name: string, data: unknown): string => `event: ${name}\n${dataEvent(data)}`;

/** A text in pieces, as models write it; no piece ends inside a character. */
export function pieces(text: string, size = 7): string[] {
  const letters = [...text];
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, at) =>
    letters.slice(at * size, at * size + size).join(""),
  );
}
