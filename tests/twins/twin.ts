import type { IncomingMessage } from "node:http";

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape, which a twin validates
export type Json = any;

/** A received request. */
export type Received = { path: string; query: URLSearchParams; request: IncomingMessage; text: string; body: Json };

export type Refusal = { message: string; status?: number; param?: string; code?: string; type?: string };

/** One kind of request that a vendor rejects, with the source and the date of this fact. */
export type Rule = {
  rule: string;
  source: string;
  date: string;
  check(body: Json, memory: Memory, received: Received): Refusal | string | undefined;
  /** A rule that no vendor checks, about data that a gateway must not lose, but that some agents lose themselves. */
  ofGateway?: true;
};

/** The meaning of a request, independent of its format: the input of the scripted model. */
export type Heard = {
  /** The prompt and all other texts for the model. */
  text: string;
  tools: readonly string[];
  /** Results of tools, in order. */
  results: readonly string[];
  pictures: number;
  thinks: boolean;
  hasSchema: boolean;
};

/** The answer of the scripted model. Inputs of calls contain 64-bit integers as returned by `exactly()`. */
export type Said = {
  thoughts: readonly string[];
  text: string;
  calls: readonly { name: string; input: object }[];
  picture?: string;
};

/** Token counts of one answer: `input` includes the cached prompt, `output` includes thoughts. */
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

/** One endpoint of a vendor: its rules, and the functions that read requests, write answers and write errors. */
export type Api = {
  path: RegExp;
  rules: readonly Rule[];
  /** Whether the request asks for a stream; by default its field `stream`. */
  isStream?(received: Received): boolean;
  hear(body: Json): Heard;
  say(said: Said, turn: Turn): Reply;
  refuse(refusal: Refusal): Reply;
  /** False if the usage does not report cached tokens. */
  tellsCached?: false;
};

/** A stand-in for one vendor and model, with their rules. */
export type Twin = {
  name: string;
  /** Path of its base URL after the prefix. */
  base: string;
  model: string;
  /** Its supplier entry in the catalogue without the address; the default name is the twin's. */
  supplier: object;
  /** Additional fields of its route in the catalogue. */
  route?: object;
  apis: readonly Api[];
  /** Twins with equal values accept each other's signatures: Claude's on all platforms, Gemini's in both its APIs. */
  seals?: string;
};

/** The earlier answers of a twin. Seals are texts that only the twin can create, such as signatures of thoughts. */
export class Memory {
  readonly seals: Map<string, string>;
  /** The seal that must come back with each call, by call id. */
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

/** Returns a rejection; a string becomes the message of a 400. */
export const asRefusal = (refusal: Refusal | string): Refusal =>
  typeof refusal === "string" ? { message: refusal } : refusal;

const MARK = "#int:";
const TEXT_OR_LONG_INTEGER = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;

/** Parses JSON; integers that a double cannot represent become marked texts. */
export const parseExactly = (text: string): Json =>
  JSON.parse(text.replace(TEXT_OR_LONG_INTEGER, (token) => (token.startsWith('"') ? token : `"${MARK}${token}"`)));

/** Returns an integer of any length as a value that `writeExactly` writes without loss. */
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

/** Splits a text into pieces, as models stream it; no piece ends inside a character. */
export function pieces(text: string, size = 7): string[] {
  const letters = [...text];
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, at) =>
    letters.slice(at * size, at * size + size).join(""),
  );
}
