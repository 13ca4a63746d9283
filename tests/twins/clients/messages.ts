import { messagesViolations } from "../../support/stream-grammar";
import { type Json, parseExactly, writeExactly } from "../twin";
import { type Call, Conversation, eventsIn, failed, type Result, type Told, type Wanted } from "./client";

const THINKING: Readonly<Record<NonNullable<Wanted["effort"]>, object>> = {
  none: { thinking: { type: "disabled" } },
  medium: { thinking: { type: "adaptive" }, output_config: { effort: "medium" } },
  most: { thinking: { type: "adaptive" }, output_config: { effort: "max" } },
};

const pictureBlock = (url: string) => {
  const [, media_type, data] = /^data:([^;]+);base64,(.*)$/.exec(url)!;
  return { type: "image", source: { type: "base64", media_type, data } };
};

/** A client of the messages format that keeps 64-bit integers exact. */
export class MessagesConversation extends Conversation {
  instruct(text: string): void {
    this.system.push({ type: "text", text });
  }

  instructLater(text: string): void {
    this.history.push({ role: "system", content: text });
  }

  say(text: string, picture?: string): void {
    this.history.push({
      role: "user",
      content: [{ type: "text", text }, ...(picture === undefined ? [] : [pictureBlock(picture)])],
    });
  }

  answer(results: readonly Result[], beside?: string): void {
    const blocks = results.map(({ call, text, picture }) => ({
      type: "tool_result",
      tool_use_id: call.id,
      content: picture === undefined ? text : [{ type: "text", text }, pictureBlock(picture)],
    }));
    this.history.push({
      role: "user",
      content: [...blocks, ...(beside === undefined ? [] : [{ type: "text", text: beside }])],
    });
  }

  async ask(wanted: Wanted): Promise<Told> {
    const { model, stream, tools, isForced, effort, schema, samples, mostOutput = 20_000, habits } = wanted;
    const thinking: { output_config?: object } = effort === undefined ? {} : THINKING[effort];
    const format =
      schema === undefined
        ? {}
        : { output_config: { ...thinking.output_config, format: { type: "json_schema", schema } } };
    const body = {
      model,
      max_tokens: mostOutput,
      ...(this.system.length === 0 ? {} : { system: this.system }),
      messages: this.history,
      ...(stream ? { stream } : {}),
      ...(habits ? HABITS : {}),
      ...(tools === undefined
        ? {}
        : { tools: tools.map(({ name, description, schema: input_schema }) => ({ name, description, input_schema })) }),
      ...(isForced ? { tool_choice: { type: "any" } } : {}),
      ...thinking,
      ...format,
      ...(samples ? { temperature: 0.2, top_p: 0.9, top_k: 40, stop_sequences: ["</block>"] } : {}),
    };
    const reply = await this.post("/v1/messages", body, { "anthropic-version": "2023-06-01" });
    if (reply.status !== 200) return failed(reply);
    const { content, usage } = stream ? assembled(reply.raw) : parseExactly(reply.raw);
    this.history.push({ role: "assistant", content });
    return {
      ...reply,
      text: content.map(({ type, text }: Json) => (type === "text" ? text : "")).join(""),
      thought: content.map(({ thinking: thought = "" }: Json) => thought).join(""),
      calls: content.flatMap((block: Json): Call[] =>
        block.type === "tool_use" ? [{ id: block.id, name: block.name, arguments: writeExactly(block.input) }] : [],
      ),
      pictures: [],
      usage: {
        input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
        output: usage.output_tokens,
      },
      violations: stream ? messagesViolations(reply.raw) : [],
    };
  }

  protected override post(path: string, body: object, headers: Record<string, string>) {
    return this.postText(path, writeExactly(body), headers);
  }
}

const HABITS = {
  metadata: { user_id: JSON.stringify({ device_id: "d".repeat(64), account_uuid: "", session_id: "s" }) },
  cache_control: { type: "ephemeral" },
  service_tier: "auto",
};

function assembled(raw: string): { content: Json[]; usage: Json } {
  const content: Json[] = [];
  let usage: Json = {};
  for (const { type, index, content_block, delta, message, usage: counted } of eventsIn(raw)) {
    if (type === "message_start") usage = message.usage;
    if (type === "message_delta") usage = { ...usage, ...counted };
    if (type === "content_block_start")
      content[index] = { ...content_block, ...(content_block.type === "tool_use" ? { input: "" } : {}) };
    if (type === "content_block_delta") grow(content[index], delta);
    if (type === "content_block_stop" && content[index].type === "tool_use")
      content[index].input = parseExactly(content[index].input || "{}");
  }
  return { content, usage };
}

function grow(block: Json, delta: Json): void {
  if (delta.type === "text_delta") block.text += delta.text;
  if (delta.type === "thinking_delta") block.thinking += delta.thinking;
  if (delta.type === "signature_delta") block.signature = (block.signature ?? "") + delta.signature;
  if (delta.type === "input_json_delta") block.input += delta.partial_json;
}
