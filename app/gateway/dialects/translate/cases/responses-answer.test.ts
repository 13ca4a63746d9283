import { describe, expect, test } from "vitest";
import { nativeViolations } from "../../../../../tests/support/stream-grammar";
import { NativeStreamReader } from "../../native/stream";
import { readResponses } from "../../responses/read";
import { readResponsesConversation } from "../../responses/read-conversation";
import { responsesToChat, responsesToMessages } from "../__fixtures__/pairs";
import { cutAt, dataIn, recorded, streamsOf, through } from "../__fixtures__/streams";

const ask = (more: object = {}) => readResponses(JSON.stringify({ model: "m", input: "hi", ...more }));
const PATCH = { type: "custom", name: "get_weather" };

const open = (name: string, more: object = {}) =>
  (name.startsWith("chat") ? responsesToChat : responsesToMessages).openStream(ask({ stream: true, ...more }));
const streamed = (name: string, more: object = {}) => through(open(name, more), [recorded(name)]);
/** Replaces the ids that gw generates, and the time. */
const stable = (text: string) => text.replace(/[0-9a-f]{32}/g, "ID").replace(/"(c\w+ed_at)":\d+/g, '"$1":0');
const STREAMS = [...streamsOf("chat"), ...streamsOf("messages")];

describe.each(STREAMS)("the recorded stream %s", (name) => {
  test("follows the grammar, and its numbers have no gaps", () => {
    for (const more of [{}, { tools: [PATCH] }]) {
      const seen = streamed(name, more);
      expect(nativeViolations(seen)).toEqual([]);
      expect(dataIn(seen).map(({ sequence_number }) => sequence_number)).toEqual(dataIn(seen).map((_, at) => at));
    }
  });

  test("says the same however its bytes are cut", () => {
    const whole = stable(streamed(name));
    const bytes = recorded(name);
    for (let at = 1; at < bytes.length; at += 7)
      expect(stable(through(open(name), cutAt(bytes, [at]))) === whole, `cut at ${at}`).toBe(true);
  });

  test("ends with the items that its events have built, as SDKs put them together", () => {
    const events = dataIn(streamed(name));
    const done = events.filter(({ type }) => type === "response.output_item.done");
    expect(events.at(-1).response.output).toEqual(
      done.toSorted((a, b) => a.output_index - b.output_index).map(({ item }) => item),
    );
    for (const [index, { item }] of done.entries()) {
      const pieces = events.filter(({ type, item_id }) => item_id === item.id && type.endsWith(".delta"));
      const told = pieces.map(({ delta }) => delta).join("");
      const said = item.content?.[0]?.text ?? item.summary?.[0]?.text ?? item.arguments ?? item.input ?? "";
      expect(told, `item ${index}`).toBe(said);
    }
  });

  test("is read by gw itself as what the supplier said", () => {
    const reader = new NativeStreamReader();
    through(reader, [Buffer.from(streamed(name))]);
    expect(reader.state).toBe("finished");
    const own = open(name);
    through(own, [recorded(name)]);
    expect(reader.usage).toMatchObject({ outputTokens: own.usage?.outputTokens ?? 0 });
  });
});

test("a stream of calls of a custom tool tells their input as a text", () => {
  const events = dataIn(streamed("chat-parallel-tools.sse", { tools: [PATCH] }));
  const items = events.at(-1).response.output.filter(({ type }: { type: string }) => type === "custom_tool_call");
  expect(items.length).toBeGreaterThan(0);
  expect(events.some(({ type }) => type === "response.custom_tool_call_input.done")).toBe(true);
});

test("a stream that breaks ends with response.failed behind what has passed", () => {
  const reader = open("chat-text.sse");
  const bytes = recorded("chat-text.sse");
  const seen = reader.push(bytes.subarray(0, bytes.length / 2))!.toString();
  const problem = { code: "stream_interrupted", type: "api_error", message: "broken", humanMessage: "broken" };
  const whole = seen + reader.errorEvent!(problem)!.toString();
  expect(nativeViolations(whole)).toEqual([]);
  expect(dataIn(whole).at(-1)).toMatchObject({
    type: "response.failed",
    sequence_number: dataIn(seen).length,
    response: { id: dataIn(seen)[0].response.id, error: { code: "stream_interrupted" } },
  });
});

test("a stream states its usage once that is settled, where the supplier said nothing", () => {
  const reader = responsesToChat.openStream(ask({ stream: true }));
  for (const data of ['{"id":"c","choices":[{"index":0,"delta":{"content":"Hi"}}]}', "[DONE]"])
    reader.push(Buffer.from(`data: ${data}\n\n`));
  const settled = { inputTokens: 5, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  const [first] = dataIn(reader.terminal.toString(), "response.completed");
  const [last] = dataIn(reader.terminalWith!(settled).toString(), "response.completed");
  expect(first.response.usage).toBeNull();
  expect(last.response.usage).toMatchObject({ input_tokens: 5, output_tokens: 1, total_tokens: 6 });
  expect(last.sequence_number).toBe(first.sequence_number);
});

const chatWhole = (message: object, finish_reason = "stop") => ({
  id: "chatcmpl-1",
  model: "up",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
  usage: { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } },
});
const messagesWhole = (content: object[], stop_reason = "end_turn") => ({
  ...{ id: "msg_1", type: "message", role: "assistant", model: "up", content, stop_reason, stop_sequence: null },
  usage: { input_tokens: 6, cache_read_input_tokens: 4, output_tokens: 5 },
});
const text = (words: string) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text: words }],
});
const CALL = { id: "c1", type: "function", function: { name: "look", arguments: '{"a":1}' } };
const USE = { type: "tool_use", id: "c1", name: "look", input: { a: 1 } };
const called = { type: "function_call", call_id: "c1", name: "look", arguments: '{"a":1}', status: "completed" };

describe.each<[string, object, object, object]>([
  [
    "a text",
    chatWhole({ content: "Hi" }),
    messagesWhole([{ type: "text", text: "Hi" }]),
    { status: "completed", output: [text("Hi")] },
  ],
  [
    "a call",
    chatWhole({ content: null, tool_calls: [CALL] }, "tool_calls"),
    messagesWhole([USE], "tool_use"),
    { status: "completed", output: [called] },
  ],
  [
    "a text and two calls",
    chatWhole({ content: "Look", tool_calls: [CALL, { ...CALL, id: "c2" }] }, "tool_calls"),
    messagesWhole([{ type: "text", text: "Look" }, USE, { ...USE, id: "c2" }], "tool_use"),
    { output: [text("Look"), called, { ...called, call_id: "c2" }] },
  ],
  [
    "a thought before the text",
    chatWhole({ reasoning_content: "Hmm", content: "Hi" }),
    messagesWhole([
      { type: "thinking", thinking: "Hmm", signature: "s" },
      { type: "text", text: "Hi" },
    ]),
    { output: [{ type: "reasoning", summary: [{ type: "summary_text", text: "Hmm" }] }, text("Hi")] },
  ],
  [
    "an answer that met its ceiling",
    chatWhole({ content: "Hi" }, "length"),
    messagesWhole([{ type: "text", text: "Hi" }], "max_tokens"),
    {
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [{ ...text("Hi"), status: "incomplete" }],
    },
  ],
  ["nothing", chatWhole({ content: "" }), messagesWhole([]), { status: "completed", output: [] }],
])("%s", (_name, chat, messages, expected) => {
  test.each([
    ["chat", responsesToChat, chat],
    ["messages", responsesToMessages, messages],
  ] as const)("of a %s-style supplier", async (_style, translator, wire) => {
    const body = { tools: [{ type: "function", name: "look" }], instructions: "Be brief.", metadata: { team: "a" } };
    const { body: bytes } = await translator.readAnswer(ask(body), Buffer.from(JSON.stringify(wire)));
    const response = JSON.parse(bytes.toString());
    expect(response).toMatchObject({
      ...expected,
      ...{ object: "response", model: "up", error: null, ...body },
      usage: {
        ...{ input_tokens: 10, output_tokens: 5, total_tokens: 15 },
        input_tokens_details: { cached_tokens: 4 },
      },
    });
    expect(response.id).toMatch(/^resp_[0-9a-f]{32}$/);
  });

  test("goes back to its supplier as it came", async () => {
    for (const [translator, wire] of [
      [responsesToChat, chat],
      [responsesToMessages, messages],
    ] as const) {
      const { body: bytes } = await translator.readAnswer(ask(), Buffer.from(JSON.stringify(wire)));
      const { output } = JSON.parse(bytes.toString());
      const { conversation } = readResponsesConversation({
        model: "m",
        input: [{ role: "user", content: "x" }, ...output],
      });
      const said = conversation.turns.flatMap((turn) => (turn.role === "assistant" ? turn.parts : []));
      expect(said.map(({ kind }) => kind)).toEqual(output.map(({ type }: { type: string }) => KINDS[type]));
    }
  });
});

const KINDS: Readonly<Record<string, string>> = { message: "text", function_call: "toolCall", reasoning: "thinking" };
