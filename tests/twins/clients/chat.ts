import { chatViolations } from "../../support/stream-grammar";
import type { Json } from "../twin";
import { Conversation, eventsIn, failed, type Result, type Told, type Wanted } from "./client";

const EFFORTS = { none: "none", medium: "medium", most: "xhigh" } as const;

/** A client of chat completions that sends the assistant's messages back with all their fields. */
export class ChatConversation extends Conversation {
  instruct(text: string): void {
    this.history.push({ role: "system", content: text });
  }

  instructLater(text: string): void {
    this.history.push({ role: "system", content: text });
  }

  say(text: string, picture?: string): void {
    const parts = [
      { type: "text", text },
      ...(picture === undefined ? [] : [{ type: "image_url", image_url: { url: picture } }]),
    ];
    this.history.push({ role: "user", content: picture === undefined ? text : parts });
  }

  answer(results: readonly Result[], beside?: string): void {
    for (const { call, text } of results) this.history.push({ role: "tool", tool_call_id: call.id, content: text });
    // Results are texts in this dialect, so pictures follow in a message after them.
    const pictures = results.flatMap(({ picture }) =>
      picture === undefined ? [] : [{ type: "image_url", image_url: { url: picture } }],
    );
    const texts = beside === undefined ? [] : [{ type: "text", text: beside }];
    if (pictures.length + texts.length > 0) this.history.push({ role: "user", content: [...texts, ...pictures] });
  }

  async ask(wanted: Wanted): Promise<Told> {
    const reply = await this.post("/v1/chat/completions", this.#body(wanted));
    if (reply.status !== 200) return failed(reply);
    const { message, usage } = wanted.stream ? assembled(eventsIn(reply.raw)) : wholeOf(JSON.parse(reply.raw));
    this.history.push(message);
    return {
      ...reply,
      text: partsOf(message.content, "text"),
      thought: message.reasoning_content ?? message.reasoning ?? partsOf(message.content, "thinking"),
      calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: text } }: Json) => ({
        id,
        name,
        arguments: text,
      })),
      pictures: (message.images ?? []).map(({ image_url: { url } }: Json) => url),
      usage: usage == null ? null : { input: usage.prompt_tokens, output: usage.completion_tokens },
      violations: wanted.stream ? chatViolations(reply.raw, { asksUsage: true }) : [],
    };
  }

  #body({ model, stream, tools, isForced, effort, schema, samples, mostOutput, habits }: Wanted): object {
    return {
      model,
      messages: habits ? this.history.map(asHabit) : this.history,
      ...(habits ? HABITS : {}),
      ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
      ...(tools === undefined
        ? {}
        : {
            tools: tools.map(({ name, description, schema: parameters }) => ({
              type: "function",
              function: { name, description, parameters },
            })),
          }),
      ...(isForced ? { tool_choice: "required" } : {}),
      ...(effort === undefined ? {} : { reasoning_effort: EFFORTS[effort] }),
      ...(schema === undefined
        ? {}
        : { response_format: { type: "json_schema", json_schema: { name: "out", strict: true, schema } } }),
      ...(samples
        ? { temperature: 0.2, top_p: 0.9, stop: ["</block>"], frequency_penalty: 0.1, presence_penalty: 0.1, seed: 7 }
        : {}),
      ...(mostOutput === undefined ? {} : { max_tokens: mostOutput }),
    };
  }
}

const HABITS = {
  ...{ store: false, metadata: { app: "x" }, service_tier: "auto", prompt_cache_key: "k", safety_identifier: "u" },
  ...{ tools: [], tool_choice: "auto", parallel_tool_calls: true },
};

/** Uses developer instructions, a user name, and contents in parts with a cache marker on the last. */
const asHabit = ({ role, content, ...message }: Json): Json => ({
  ...message,
  role: role === "system" ? "developer" : role,
  ...(role === "user" ? { name: "alice" } : {}),
  content:
    typeof content === "string" ? [{ type: "text", text: content, cache_control: { type: "ephemeral" } }] : content,
});

const wholeOf = ({ choices: [{ message }], usage }: Json) => ({ message, usage });

/** Assembles the message of a stream, with every field of its deltas. */
function assembled(events: readonly Json[]): { message: Json; usage: Json } {
  const message: Json = { role: "assistant", content: null };
  let usage: Json = null;
  for (const event of events) {
    usage = event.usage ?? usage;
    for (const { delta = {} } of event.choices ?? []) {
      for (const [field, value] of Object.entries(delta as Json)) {
        if (field === "role" || value === null) continue;
        if (field === "content") message.content = joined(message.content, value);
        else if (field === "tool_calls") for (const call of value as Json[]) grow(message, call);
        else if (Array.isArray(value)) message[field] = [...(message[field] ?? []), ...value];
        else message[field] = (message[field] ?? "") + value;
      }
    }
  }
  if (message.content === "") message.content = null;
  return { message, usage };
}

/** Returns the texts of one kind from a content, which is a string or a list of parts. */
function partsOf(content: Json, kind: "text" | "thinking"): string {
  if (!Array.isArray(content)) return kind === "text" ? (content ?? "") : "";
  const texts = content.map((part: Json) => (kind === "text" ? part.text : partsOf(part.thinking, "text")));
  return texts.filter((text) => text !== undefined).join("");
}

/** Appends a piece to a content. Some vendors mix strings and lists of parts in one stream. */
function joined(content: Json, piece: Json): Json {
  if (!Array.isArray(content) && !Array.isArray(piece)) return (content ?? "") + piece;
  const listed = (value: Json) => (Array.isArray(value) ? value : value ? [{ type: "text", text: value }] : []);
  return [...listed(content), ...listed(piece)];
}

function grow(message: Json, { index = 0, function: piece, ...more }: Json): void {
  message.tool_calls ??= [];
  message.tool_calls[index] ??= { function: { name: "", arguments: "" } };
  const call = message.tool_calls[index];
  Object.assign(call, more);
  if (piece?.name && call.function.name === "") call.function.name = piece.name;
  call.function.arguments += piece?.arguments ?? "";
}
