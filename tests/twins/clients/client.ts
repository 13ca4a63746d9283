import type { Json } from "../twin";

export type Tool = { name: string; description: string; schema: object };

/** What a client asks for beside its history, in no dialect. */
export type Wanted = {
  model: string;
  stream: boolean;
  tools?: readonly Tool[];
  /** A group of tools at the client, as agents bring those of an MCP server. */
  namespace?: string;
  isForced?: true;
  effort?: "none" | "medium" | "most";
  schema?: object;
  /** Temperature, top_p and stop sequences; in dialects that have them penalties and a seed. */
  samples?: true;
  mostOutput?: number;
};

export type Call = { id: string; name: string; namespace?: string; arguments: string };
export type Result = { call: Call; text: string; picture?: string };

/** What came back, read as that dialect's own clients do. */
export type Told = {
  status: number;
  headers: Headers;
  raw: string;
  text: string;
  thought: string;
  calls: readonly Call[];
  pictures: readonly string[];
  usage: { input: number; output: number } | null;
  /** What is wrong with it by the grammar of the dialect. */
  violations: readonly string[];
};

export type Place = { url: string; key: string };

/** A conversation in one dialect, which keeps what it is told as it came and sends it back. */
export abstract class Conversation {
  protected history: Json[] = [];
  /** Instructions, where they stand beside the history. */
  protected system: object[] = [];
  protected readonly place: Place;

  constructor(place: Place) {
    this.place = place;
  }

  abstract instruct(text: string): void;
  abstract instructLater(text: string): void;
  abstract say(text: string, picture?: string): void;
  /** Results of calls; `beside`: a text of the user's in the same turn. */
  abstract answer(results: readonly Result[], beside?: string): void;
  abstract ask(wanted: Wanted): Promise<Told>;

  /** The same conversation, to be taken another way. */
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

/** The data of a stream's events, parsed. */
export const eventsIn = (raw: string): Json[] =>
  raw
    .split(/\n\n/)
    .flatMap((event) => event.split("\n").filter((line) => line.startsWith("data: ")))
    .map((line) => line.slice(6))
    .filter((data) => data !== "[DONE]")
    .map((data) => JSON.parse(data));
