import type { Json } from "../twin";

export type Tool = { name: string; description: string; schema: object };

/** Options of a client's request besides its history, independent of the dialect. */
export type Wanted = {
  model: string;
  stream: boolean;
  tools?: readonly Tool[];
  /** Name of a group of tools, as agents send for the tools of an MCP server. */
  namespace?: string;
  isForced?: true;
  effort?: "none" | "medium" | "most";
  schema?: object;
  /** Sets temperature, top_p and stop sequences; also penalties and a seed in dialects that have them. */
  samples?: true;
  mostOutput?: number;
  /** Adds fields that the clients of the dialect's own vendor send with every request, to any supplier. */
  habits?: true;
};

export type Call = { id: string; name: string; namespace?: string; arguments: string };
export type Result = { call: Call; text: string; picture?: string };

/** An answer, read as the clients of the dialect read it. */
export type Told = {
  status: number;
  headers: Headers;
  raw: string;
  text: string;
  thought: string;
  calls: readonly Call[];
  pictures: readonly string[];
  usage: { input: number; output: number } | null;
  /** Violations of the dialect's grammar. */
  violations: readonly string[];
};

export type Place = { url: string; key: string };

/** A conversation in one dialect. It keeps answers unchanged and sends them back in the history. */
export abstract class Conversation {
  protected history: Json[] = [];
  /** Instructions, in dialects that send them outside the history. */
  protected system: object[] = [];
  protected readonly place: Place;

  constructor(place: Place) {
    this.place = place;
  }

  abstract instruct(text: string): void;
  abstract instructLater(text: string): void;
  abstract say(text: string, picture?: string): void;
  /** Adds results of calls; `beside`: a text of the user in the same turn. */
  abstract answer(results: readonly Result[], beside?: string): void;
  abstract ask(wanted: Wanted): Promise<Told>;

  /** Returns a copy of the conversation, which continues independently. */
  fork(): this {
    const copy = new (this.constructor as new (place: Place) => this)(this.place);
    copy.history = structuredClone(this.history);
    copy.system = [...this.system];
    return copy;
  }

  protected post(path: string, body: object, headers: Record<string, string> = {}) {
    return this.postText(path, JSON.stringify(body), headers);
  }

  protected async postText(path: string, body: string, headers: Record<string, string>) {
    const response = await fetch(`${this.place.url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.place.key}`, "content-type": "application/json", ...headers },
      body,
    });
    return { status: response.status, headers: response.headers, raw: await response.text() };
  }
}

export const failed = (reply: { status: number; headers: Headers; raw: string }): Told => ({
  ...reply,
  text: "",
  thought: "",
  calls: [],
  pictures: [],
  usage: null,
  violations: [],
});

/** Returns the parsed data of a stream's events. */
export const eventsIn = (raw: string): Json[] =>
  raw
    .split(/\n\n/)
    .flatMap((event) => event.split("\n").filter((line) => line.startsWith("data: ")))
    .map((line) => line.slice(6))
    .filter((data) => data !== "[DONE]")
    .map((data) => JSON.parse(data));
