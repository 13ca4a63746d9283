import { describe, expect, test } from "vitest";
import type { DialectName, WireName } from "../../../canonical/exchange";
import type { InferenceRequest } from "../../../canonical/inference-request";
import { readChat } from "../../chat/read";
import { readMessages } from "../../messages/read";
import { readResponses } from "../../responses/read";
import { translatorFor } from "../../translators";
import { aRoute } from "../__fixtures__/streams";

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape, looked at by assertions only
type Json = Record<string, any>;

/** A supplier: its format, its model, and one of its answers with a thought that leads to a call. */
type Source = { wire: WireName; model: string; answer: Json; seals: readonly string[] };

const chatAnswer = (message: Json): Json => ({
  id: "chatcmpl-1",
  model: "up",
  choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason: "tool_calls" }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});
const chatCall = { id: "call_1", type: "function", function: { name: "look", arguments: '{"a":1}' } };
const messagesAnswer = (thought: Json): Json => ({
  ...{ id: "msg_1", type: "message", role: "assistant", model: "up", stop_reason: "tool_use", stop_sequence: null },
  content: [thought, { type: "tool_use", id: "call_1", name: "look", input: { a: 1 } }],
  usage: { input_tokens: 3, output_tokens: 2 },
});
const converseAnswer = (reasoningContent: Json): Json => ({
  output: {
    message: {
      role: "assistant",
      content: [{ reasoningContent }, { toolUse: { toolUseId: "call_1", name: "look", input: { a: 1 } } }],
    },
  },
  stopReason: "tool_use",
  usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
});
const geminiAnswer = (parts: readonly Json[]): Json => ({
  candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
});
const geminiCall = { functionCall: { name: "look", args: { a: 1 } }, thoughtSignature: "R0VN" };

/** Suppliers by kind of seal. `seals`: texts of the thought that only suppliers of the same kind may get. */
const SOURCES: Record<string, Source> = {
  reasoning_content: {
    ...{ wire: "chat", model: "deepseek-v4" },
    answer: chatAnswer({ reasoning_content: "Hm.", tool_calls: [chatCall] }),
    seals: ["reasoning_content"],
  },
  reasoning: {
    ...{ wire: "chat", model: "gpt-oss-120b" },
    answer: chatAnswer({ reasoning: "Hm.", tool_calls: [chatCall] }),
    seals: ['"reasoning":"'],
  },
  "thoughts in the content": {
    ...{ wire: "chat", model: "magistral-medium" },
    answer: chatAnswer({
      content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }],
      tool_calls: [chatCall],
    }),
    seals: [],
  },
  "Gemini's signature of a chat call": {
    ...{ wire: "chat", model: "gemini-3-pro-preview" },
    answer: chatAnswer({
      tool_calls: [{ ...chatCall, extra_content: { google: { thought_signature: "R0VN" } } }],
    }),
    seals: ["R0VN"],
  },
  "a signature": {
    ...{ wire: "messages", model: "claude-sonnet-5" },
    answer: messagesAnswer({ type: "thinking", thinking: "Hm.", signature: "Q0xB" }),
    seals: ["Q0xB"],
  },
  "a thought sealed whole": {
    ...{ wire: "messages", model: "claude-sonnet-5" },
    answer: messagesAnswer({ type: "redacted_thinking", data: "UkVE" }),
    seals: ["UkVE"],
  },
  "Bedrock's signature": {
    ...{ wire: "converse", model: "anthropic.claude-sonnet-5" },
    answer: converseAnswer({ reasoningText: { text: "Hm.", signature: "Q0xB" } }),
    seals: ["Q0xB"],
  },
  "Bedrock's thought sealed whole": {
    ...{ wire: "converse", model: "anthropic.claude-sonnet-5" },
    answer: converseAnswer({ redactedContent: "UkVE" }),
    seals: ["UkVE"],
  },
  "Bedrock's thought without a seal": {
    ...{ wire: "converse", model: "openai.gpt-oss-120b" },
    answer: converseAnswer({ reasoningText: { text: "Hm." } }),
    seals: [],
  },
  "Gemini's signature": {
    ...{ wire: "gemini", model: "gemini-3-pro-preview" },
    answer: geminiAnswer([{ text: "Hm.", thought: true }, geminiCall]),
    seals: ["R0VN"],
  },
  "a signature of another model in Bedrock": {
    ...{ wire: "converse", model: "us.amazon.nova-2-lite-v1:0" },
    answer: converseAnswer({ reasoningText: { text: "Hm.", signature: "Tk9WQQ" } }),
    seals: ["Tk9WQQ"],
  },
  "a thought that another model in Bedrock has sealed whole": {
    ...{ wire: "converse", model: "us.amazon.nova-2-lite-v1:0" },
    answer: converseAnswer({ redactedContent: "Tk9WQQ" }),
    seals: ["Tk9WQQ"],
  },
  "Gemini's signature without a thought": {
    ...{ wire: "gemini", model: "gemini-3-pro-preview" },
    answer: geminiAnswer([geminiCall]),
    seals: ["R0VN"],
  },
  "an encrypted thought": {
    ...{ wire: "responses", model: "gpt-5.6" },
    answer: {
      ...{ id: "resp_1", object: "response", status: "completed", model: "up" },
      output: [
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "T1BF" },
        { type: "function_call", id: "fc_1", call_id: "call_1", name: "look", arguments: '{"a":1}' },
      ],
      usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
    },
    seals: ["T1BF"],
  },
  "a plan": {
    ...{ wire: "cohere", model: "command-a-reasoning" },
    answer: {
      id: "c",
      finish_reason: "TOOL_CALL",
      message: { role: "assistant", tool_plan: "Hm.", tool_calls: [chatCall] },
      usage: { tokens: { input_tokens: 3, output_tokens: 2 } },
    },
    seals: ["tool_plan"],
  },
};

/** Suppliers that get the continued conversation, with the seals that they accept. */
const TARGETS: { wire: WireName; model: string; takes: readonly string[] }[] = [
  { wire: "chat", model: "some-model", takes: ["reasoning_content", '"reasoning":"'] },
  { wire: "chat", model: "deepseek-v4-pro", takes: ["reasoning_content"] },
  { wire: "chat", model: "mistral-large-latest", takes: [] },
  { wire: "chat", model: "gemini-3-pro-preview", takes: ["R0VN"] },
  { wire: "messages", model: "claude-sonnet-5", takes: ["Q0xB", "UkVE"] },
  { wire: "converse", model: "anthropic.claude-sonnet-5", takes: ["Q0xB", "UkVE"] },
  { wire: "converse", model: "amazon.nova-2-lite", takes: [] },
  { wire: "gemini", model: "gemini-3-pro-preview", takes: ["R0VN"] },
  { wire: "cohere", model: "command-a-reasoning", takes: ["tool_plan"] },
  { wire: "responses", model: "gpt-5.6", takes: ["T1BF"] },
];

/**
 * A client: its request, with or without visible thoughts, and its next request after an answer, as its SDK builds it.
 */
type Client = { ask: Json; read(text: string): InferenceRequest; next(ask: Json, answer: Json): Json };
const said = (ask: Json, name: string, ...more: unknown[]) => ({ ...ask, [name]: [...ask[name], ...more] });
const CHAT: Client = {
  ask: { messages: [{ role: "user", content: "hi" }] },
  read: readChat,
  next: (ask, { choices: [{ message }] }) =>
    said(ask, "messages", message, { role: "tool", tool_call_id: message.tool_calls[0].id, content: "sunny" }),
};
const MESSAGES: Client = {
  ask: { max_tokens: 2_000, messages: [{ role: "user", content: "hi" }] },
  read: readMessages,
  next(ask, { content }) {
    const tool_use_id = content.find(({ type }: Json) => type === "tool_use").id;
    const result = { role: "user", content: [{ type: "tool_result", tool_use_id, content: "sunny" }] };
    return said(ask, "messages", { role: "assistant", content }, result);
  },
};
const RESPONSES: Client = {
  ask: { input: [{ role: "user", content: "hi" }], store: false },
  read: readResponses,
  next(ask, { output }) {
    const { call_id } = output.find(({ type }: Json) => type === "function_call");
    return said(ask, "input", ...output, { type: "function_call_output", call_id, output: "sunny" });
  },
};
const CLIENTS: [name: string, dialect: DialectName, client: Client][] = [
  ["a chat client", "chat", CHAT],
  ["a messages client", "messages", MESSAGES],
  [
    "a messages client that shows thinking",
    "messages",
    { ...MESSAGES, ask: { ...MESSAGES.ask, thinking: { type: "enabled", budget_tokens: 1_024 } } },
  ],
  ["a responses client", "responses", RESPONSES],
];

const route = (wire: WireName, model: string) => aRoute(wire as "chat", model);
const inferenceOf = ({ read }: Client, body: Json) => read(JSON.stringify({ model: "m", ...body }));

describe.each(CLIENTS)("%s", (_client, dialect, client) => {
  describe.each(Object.entries(SOURCES))("with a thought of another supplier: %s", (name, source) => {
    const way = translatorFor(dialect, source.wire)!;

    test.each(TARGETS)("goes on with $model in the format $wire", async ({ wire, model, takes }) => {
      const to = translatorFor(dialect, wire);
      if (to === undefined) return;
      const inference = inferenceOf(client, client.ask);
      const begun = route(source.wire, source.model);
      way.forward(inference, begun);
      const { body } = await way.readAnswer(inference, Buffer.from(JSON.stringify(source.answer)), begun);
      const next = inferenceOf(client, client.next(client.ask, JSON.parse(body.toString())));
      const sent = to.forward(next, route(wire, model)) as string;
      expect(sent).not.toMatch(/gw:|gw1\.|gw-v1|"signature":""/);
      for (const seal of source.seals) {
        const isPassedThrough = dialect === wire && dialect === source.wire && model === "some-model";
        // Thoughts that gw redacted for a messages client are not restored for a messages supplier.
        if (dialect === "messages" && wire === "messages" && client === MESSAGES) continue;
        if (takes.includes(seal) || isPassedThrough) expect(sent, name).toContain(seal);
        else expect(sent, name).not.toContain(seal);
      }
      expect(sent).toContain("sunny");
    });
  });
});

test("a responses client's encrypted thought goes to suppliers of its format and to no other", () => {
  const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "T1BF" };
  const call = { type: "function_call", id: "fc_1", call_id: "c", name: "look", arguments: "{}" };
  const output = { type: "function_call_output", call_id: "c", output: "sunny" };
  const inference = inferenceOf(RESPONSES, said(RESPONSES.ask, "input", reasoning, call, output));
  for (const { wire, model } of TARGETS) {
    const sent = translatorFor("responses", wire)!.forward(inference, route(wire, model)) as string;
    expect(sent.includes("T1BF"), wire).toBe(wire === "responses");
  }
});
