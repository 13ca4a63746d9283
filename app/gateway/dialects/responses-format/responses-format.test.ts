import { describe, expect, test } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import { asGuarded } from "../../__fixtures__/guarded";
import type { InferenceRequest } from "../../canonical/inference-request";
import { adapterOf } from "../../suppliers/registry";
import { chatDialect } from "../chat";
import { messagesDialect } from "../messages";
import { aRoute, dataIn } from "../translate/__fixtures__/streams";
import { translatorFor } from "../translators";

type Json = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
type Deep = any;

const base = aRoute("chat", "gpt-5.6");
const openai = (more: Partial<Route["supplier"]> = {}): Route => ({
  ...base,
  supplier: { ...base.supplier, baseUrl: "https://api.openai.com/v1", speaksResponses: true, ...more },
});
const TOOLS = [{ name: "look", description: "Looks", input_schema: { type: "object" } }];
const CHAT_TOOLS = [{ type: "function", function: { name: "look", parameters: { type: "object" } } }];

const messages = (more: Json) =>
  asGuarded(
    messagesDialect.read(
      JSON.stringify({ model: "m", max_tokens: 9_000, messages: [{ role: "user", content: "hi" }], ...more }),
    ),
  );
const chat = (more: Json) =>
  asGuarded(chatDialect.read(JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], ...more })));
const MESSAGES = translatorFor("messages", "responses")!;
const CHAT = translatorFor("chat", "responses")!;

describe("which format a chat-style supplier is asked in", () => {
  const speaks = (inference: InferenceRequest, route = openai()) =>
    adapterOf(route.supplier)!.speaks(inference.dialect, route, inference);

  test("tools beside thinking go by the responses format where the model takes them nowhere else", () => {
    expect(speaks(messages({ tools: TOOLS }))).toBe("responses");
    expect(speaks(messages({ tools: TOOLS, thinking: { type: "adaptive" } }))).toBe("responses");
    expect(speaks(chat({ tools: CHAT_TOOLS, reasoning_effort: "high" }))).toBe("responses");
    expect(speaks(chat({ tools: CHAT_TOOLS }))).toBe("responses");
  });

  test("everything else goes by chat completions", () => {
    expect(speaks(messages({}))).toBe("chat");
    expect(speaks(messages({ tools: TOOLS, thinking: { type: "disabled" } }))).toBe("chat");
    expect(speaks(chat({ tools: CHAT_TOOLS, reasoning_effort: "none" }))).toBe("chat");
    expect(speaks(chat({ tools: CHAT_TOOLS, n: 2 }))).toBe("chat");
    expect(speaks(messages({ tools: TOOLS }), { ...openai(), upstreamModel: "gpt-5.4" })).toBe("chat");
    expect(speaks(messages({ tools: TOOLS }), { ...openai(), upstreamModel: "gpt-4.1" })).toBe("chat");
    expect(speaks(messages({ tools: TOOLS }), openai({ speaksResponses: false }))).toBe("chat");
  });
});

const RESPONSE = {
  id: "resp_1",
  model: "gpt-5.6-2026",
  status: "completed",
  output: [
    { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: "c2VhbA==" },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look.", annotations: [] }] },
    { type: "function_call", id: "fc_1", call_id: "call_1", name: "look", arguments: '{"at":1}' },
  ],
  usage: { input_tokens: 10, output_tokens: 20, output_tokens_details: { reasoning_tokens: 5 } },
};

describe("a tool loop of a messages client", () => {
  const first = { tools: TOOLS, thinking: { type: "adaptive" }, output_config: { effort: "max" }, temperature: 0 };

  test("asks for nothing to be kept, and for thoughts that can go back", () => {
    const body = JSON.parse(MESSAGES.forward(messages({ system: "Be brief.", ...first }), openai()) as string) as Json;
    expect(body).toEqual({
      model: "gpt-5.6",
      input: [
        { type: "message", role: "system", content: [{ type: "input_text", text: "Be brief." }] },
        { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
      ],
      store: false,
      include: ["reasoning.encrypted_content"],
      max_output_tokens: 9_000,
      tools: [
        {
          type: "function",
          name: "look",
          description: "Looks",
          parameters: { type: "object", properties: {} },
          strict: false,
        },
      ],
      reasoning: { effort: "max", summary: "auto" },
    });
    expect(MESSAGES.leftOut!(messages({ ...first, stop_sequences: ["x"] }), openai())).toEqual([
      "temperature",
      "stop_sequences",
    ]);
  });

  test("gets the thought, the text and the call, and sends them back in their order", async () => {
    const answer = await MESSAGES.readAnswer(messages(first), Buffer.from(JSON.stringify(RESPONSE)));
    const told = JSON.parse(answer.body.toString()) as Deep;
    expect(told.content).toEqual([
      { type: "thinking", thinking: "Hm.", signature: expect.any(String) },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "call_1", name: "look", input: { at: 1 } },
    ]);
    expect(told).toMatchObject({ stop_reason: "tool_use", usage: { input_tokens: 10, output_tokens: 20 } });
    const result = { type: "tool_result", tool_use_id: "call_1", is_error: true, content: "not there" };
    const history = [
      { role: "user", content: "hi" },
      { role: "assistant", content: told.content },
      { role: "user", content: [result, { type: "text", text: "go on" }] },
    ];
    const { input } = JSON.parse(MESSAGES.forward(messages({ ...first, messages: history }), openai()) as string);
    expect(input.slice(1)).toEqual([
      { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: "c2VhbA==" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
      { type: "function_call", call_id: "call_1", name: "look", arguments: '{"at":1}' },
      { type: "function_call_output", call_id: "call_1", output: "Error: not there" },
      { type: "message", role: "user", content: [{ type: "input_text", text: "go on" }] },
    ]);
  });
});

const sse = (events: readonly Json[]) =>
  Buffer.from(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));

const EVENTS: Json[] = [
  { type: "response.created", response: { id: "resp_1", model: "gpt-5.6" } },
  { type: "response.output_item.added", output_index: 0, item: { type: "reasoning" } },
  { type: "response.reasoning_summary_part.added", output_index: 0, summary_index: 0 },
  { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "Hm." },
  { type: "response.reasoning_summary_part.added", output_index: 0, summary_index: 1 },
  { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "So." },
  { type: "response.output_item.done", output_index: 0, item: { type: "reasoning", encrypted_content: "c2VhbA==" } },
  { type: "response.output_text.delta", output_index: 1, delta: "I look." },
  { type: "response.output_item.done", output_index: 1, item: { type: "message", content: [] } },
  {
    type: "response.output_item.added",
    output_index: 2,
    item: { type: "function_call", call_id: "call_1", name: "look" },
  },
  { type: "response.function_call_arguments.delta", output_index: 2, delta: '{"at":' },
  { type: "response.function_call_arguments.delta", output_index: 2, delta: "1}" },
  { type: "response.output_item.done", output_index: 2, item: { type: "function_call", arguments: '{"at":1}' } },
  { type: "response.completed", response: { usage: RESPONSE.usage } },
];

describe("a stream", () => {
  const asked = { tools: TOOLS, thinking: { type: "adaptive" }, stream: true };

  test("reaches a messages client part by part", () => {
    const stream = MESSAGES.openStream(messages(asked));
    const text = `${stream.push(sse(EVENTS))}${stream.terminal}`;
    expect(stream.state).toBe("finished");
    const deltas = dataIn(text, "content_block_delta").map(({ delta }) => delta);
    const joined = (type: string, member: string) =>
      deltas
        .filter((delta) => delta.type === type)
        .map((delta) => delta[member])
        .join("");
    expect(joined("thinking_delta", "thinking")).toBe("Hm.\n\nSo.");
    expect(joined("text_delta", "text")).toBe("I look.");
    expect(joined("input_json_delta", "partial_json")).toBe('{"at":1}');
    expect(joined("signature_delta", "signature")).toContain("c2VhbA==");
    expect(dataIn(text, "message_delta")[0].delta.stop_reason).toBe("tool_use");
    expect(stream.usage).toMatchObject({ inputTokens: 10, outputTokens: 20, reasoningTokens: 5 });
  });

  test("of whole items alone says the same to a chat client", () => {
    const items = RESPONSE.output.map((item, output_index) => ({
      type: "response.output_item.done",
      output_index,
      item,
    }));
    const stream = CHAT.openStream(chat({ tools: CHAT_TOOLS, stream: true }));
    const bytes = sse([EVENTS[0]!, ...items, { type: "response.completed", response: RESPONSE }]);
    const text = `${stream.push(bytes)}${stream.terminal}`;
    const deltas = dataIn(text).flatMap(({ choices }) => choices.map((choice: Deep) => choice.delta));
    expect(deltas.map(({ content }) => content ?? "").join("")).toBe("I look.");
    const calls = deltas.flatMap(({ tool_calls = [] }) => tool_calls);
    expect(calls[0]).toMatchObject({ id: "call_1", function: { name: "look" } });
    expect(calls.map((call: Deep) => call.function.arguments).join("")).toBe('{"at":1}');
  });

  test("that fails or is cut off says so", () => {
    const failed = MESSAGES.openStream(messages(asked));
    failed.push(
      sse([EVENTS[0]!, { type: "response.failed", response: { error: { code: "server_error", message: "Oh" } } }]),
    );
    expect(failed.state).toBe("failed");
    expect(failed.failure).toMatchObject({ code: "server_error", message: "Oh" });
    const cut = MESSAGES.openStream(messages(asked));
    const incomplete = { usage: RESPONSE.usage, incomplete_details: { reason: "max_output_tokens" } };
    cut.push(sse([...EVENTS.slice(0, 9), { type: "response.incomplete", response: incomplete }]));
    expect(dataIn(String(cut.terminal), "message_delta")[0]?.delta.stop_reason ?? "max_tokens").toBe("max_tokens");
  });
});
