import { wav } from "../../support/audio";
import { chatViolations, messagesViolations, nativeViolations } from "../../support/stream-grammar";
import type { Ending, Fault, Shape } from "./faults";

/** One call as the client sees it. `broken`: the connection ended before the answer was complete. */
export type Told = { status: number; callId: string; headers: Headers; body: string; broken: boolean };

/** A path through gw: the client's request, its endpoint, and the supplier of the model. */
export type Protocol = {
  name: string;
  path: string;
  shape: Shape;
  /** The first part of the names of this protocol's models in the catalogue. */
  models: string;
  body(model: string): object | FormData;
  /** Faults whose settlement differs from that in other protocols. */
  endings?: Readonly<Record<string, Ending>>;
  /** Returns the violations of the client's dialect in an answer with status 200. */
  violations(told: Told): string[];
};

const said = [{ role: "user", content: "Hello" }];

const chat = (models: string, stream: boolean): Protocol => ({
  name: `chat client, ${models}-style supplier, ${stream ? "streamed" : "whole"}`,
  path: "/v1/chat/completions",
  shape: stream ? "events" : "whole",
  models,
  body: (model) => ({ model, stream, max_tokens: 50, messages: said }),
  violations: ({ body }) => (stream ? chatViolations(body) : without(body, "choices")),
});

const messages = (models: string, stream: boolean): Protocol => ({
  name: `messages client, ${models}-style supplier, ${stream ? "streamed" : "whole"}`,
  path: "/v1/messages",
  shape: stream ? "events" : "whole",
  models,
  body: (model) => ({ model, stream, max_tokens: 50, messages: said }),
  violations: ({ body }) => (stream ? messagesViolations(body) : without(body, "content")),
});

const without = (body: string, member: string): string[] =>
  Array.isArray(JSON.parse(body)[member]) ? [] : [`an answer without ${member}`];

/** The text of speech requests. */
export const SPOKEN = "Good morning";

export const PROTOCOLS: readonly Protocol[] = [
  chat("chat", false),
  chat("chat", true),
  chat("messages", false),
  chat("messages", true),
  messages("messages", false),
  messages("messages", true),
  messages("chat", false),
  messages("chat", true),
  {
    name: "native agents",
    path: "/v1/vendorb/responses",
    shape: "events",
    models: "native",
    body: (model) => ({ model, stream: true, store: true, max_output_tokens: 50, input: said }),
    // Only the terminal event contains usage, and only that event ends an answer.
    endings: { "finish-without-done": "partial", "usage-early": "partial", "not-streamed": "unpaid" },
    violations: ({ body }) => nativeViolations(body),
  },
  {
    name: "embeddings",
    path: "/v1/embeddings",
    shape: "whole",
    models: "embedding",
    body: (model) => ({ model, input: ["one", "two"] }),
    violations: ({ body }) => without(body, "data"),
  },
  {
    name: "rerank",
    path: "/v1/rerank",
    shape: "whole",
    models: "rerank",
    body: (model) => ({ model, query: "q", documents: ["one", "two"] }),
    violations: ({ body }) => without(body, "results"),
  },
  {
    name: "transcription",
    path: "/v1/audio/transcriptions",
    shape: "whole",
    models: "transcription",
    body(model) {
      const form = new FormData();
      form.set("model", model);
      form.set("file", new Blob([new Uint8Array(wav(12))]), "a.wav");
      return form;
    },
    violations: ({ body }) => (typeof JSON.parse(body).text === "string" ? [] : ["an answer without its text"]),
  },
  {
    name: "speech",
    path: "/v1/audio/speech",
    shape: "sound",
    models: "speech",
    body: (model) => ({ model, input: SPOKEN }),
    violations: ({ body }) => (body.length > 0 ? [] : ["no sound"]),
  },
];

/** Sends one call and reads the answer until it ends or breaks. */
export async function ask(
  { url, key }: { url: string; key: string },
  { path, models, body }: Protocol,
  fault: Fault,
): Promise<Told> {
  const content = body(modelName(models, fault.name));
  const isForm = content instanceof FormData;
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, ...(isForm ? {} : { "content-type": "application/json" }) },
    body: isForm ? content : JSON.stringify(content),
  });
  const pieces: Uint8Array[] = [];
  let broken = false;
  try {
    for await (const piece of response.body! as unknown as AsyncIterable<Uint8Array>) pieces.push(piece);
  } catch {
    broken = true;
  }
  const { status, headers } = response;
  return { status, headers, callId: headers.get("x-request-id")!, body: Buffer.concat(pieces).toString(), broken };
}

/** Returns the text of an answer in any conversation format, streamed or not. */
export function textOf({ body }: Told): string {
  const events = body.split(/\r\n|\n|\r/).filter((line) => line.startsWith("data: {"));
  const wholes = events.length === 0 ? [body] : events.map((line) => line.slice(6));
  return wholes.map((text) => textIn(JSON.parse(text))).join("");
}

type Wire = {
  type?: string;
  choices?: { delta?: Said; message?: Said }[];
  content?: { text?: string }[];
  delta?: { text?: string } | string;
};
type Said = { content?: string | null };

function textIn({ type, choices, content, delta }: Wire): string {
  if (choices !== undefined) return choices.map((choice) => (choice.delta ?? choice.message)?.content ?? "").join("");
  if (content !== undefined) return content.map(({ text }) => text ?? "").join("");
  if (typeof delta === "string") return type === "response.output_text.delta" ? delta : "";
  return delta?.text ?? "";
}

/** Returns the name of the model whose supplier has a fault. */
export const modelName = (models: string, fault: string): string => `${models}.${fault.replace(":", ".")}`;
