import { describe, expect, test } from "vitest";
import type { DialectName, WireName } from "../../../canonical/exchange";
import type { InferenceRequest } from "../../../canonical/inference-request";
import { readChat } from "../../chat/read";
import { readMessages } from "../../messages/read";
import { readResponses } from "../../responses/read";
import { translatorFor } from "../../translators";
import { sealThought } from "../../wire/thoughts/sealed-thoughts";
import { aRoute, through } from "../__fixtures__/streams";

const BIG = "1234567890123456789";
const ROUNDED = "1234567890123456800";
/** Writes JSON with the big number in place of each placeholder text. */
const json = (value: object): string => JSON.stringify(value).replaceAll('"BIG"', BIG).replaceAll('\\"BIG\\"', BIG);
const ARGS = '{"id":"BIG","more":[{"id":"BIG"}]}';
const input = JSON.parse(ARGS);
const schema = {
  type: "object",
  properties: { id: { type: "integer", maximum: "BIG", enum: ["BIG"], const: "BIG", default: "BIG" } },
};

const user = (content: unknown) => ({ role: "user", content });
const WIRES: WireName[] = ["chat", "messages", "gemini", "converse", "cohere", "responses"];
const MODELS: Partial<Record<WireName, string>> = { converse: "anthropic.claude-sonnet-5", gemini: "gemini-3-pro" };

/** A request of each client dialect with the number in a call of the history and in the schema of a tool. */
const REQUESTS: Partial<Record<DialectName, { read(text: string): InferenceRequest; body: object }>> = {
  chat: {
    read: readChat,
    body: {
      messages: [
        user("hi"),
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: json(input) } }],
        },
        { role: "tool", tool_call_id: "c", content: "ok" },
      ],
      tools: [{ type: "function", function: { name: "look", parameters: schema } }],
    },
  },
  messages: {
    read: readMessages,
    body: {
      max_tokens: 100,
      messages: [
        user("hi"),
        { role: "assistant", content: [{ type: "tool_use", id: "c", name: "look", input }] },
        user([{ type: "tool_result", tool_use_id: "c", content: "ok" }]),
      ],
      tools: [{ name: "look", input_schema: schema }],
    },
  },
  responses: {
    read: readResponses,
    body: {
      input: [
        user("hi"),
        { type: "function_call", call_id: "c", name: "look", arguments: json(input) },
        { type: "function_call_output", call_id: "c", output: "ok" },
      ],
      tools: [{ type: "function", name: "look", parameters: schema }],
    },
  },
};

describe.each(Object.entries(REQUESTS))("a %s client's long numbers", (dialect, { read, body }) => {
  test.each(WIRES)("reach a supplier of the format %s as they were written", (wire) => {
    const way = translatorFor(dialect as DialectName, wire);
    if (way === undefined) return;
    const sent = way.forward(read(json({ model: "m", ...body })), aRoute(wire as "chat", MODELS[wire])) as string;
    expect(sent).not.toContain(ROUNDED);
    // Two in the call, and at least two in the schema, either as keywords or in the description.
    expect(sent.split(BIG).length - 1).toBeGreaterThanOrEqual(4);
    expect(sent).not.toContain("number-");
  });
});

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const chatCall = (given: unknown) => ({ id: "c", type: "function", function: { name: "look", arguments: given } });
/** An answer of each supplier format, whole and streamed, with the number in a call. */
const ANSWERS: [name: string, wire: WireName, whole: object, stream: string][] = [
  ...(["a text", "an object"] as const).map((kind): [string, WireName, object, string] => {
    const call = chatCall(kind === "a text" ? json(input) : input);
    const chunk = (delta: object, finish_reason: string | null) =>
      `data: ${json({ id: "x", model: "up", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    return [
      `arguments as ${kind}`,
      "chat",
      {
        id: "x",
        model: "up",
        choices: [{ index: 0, message: { content: null, tool_calls: [call] }, finish_reason: "tool_calls" }],
        usage,
      },
      `${chunk({ tool_calls: [{ index: 0, ...call }] }, null)}${chunk({}, "tool_calls")}data: [DONE]\n\n`,
    ];
  }),
  [
    "an input that comes whole",
    "messages",
    {
      ...{ id: "m", type: "message", role: "assistant", model: "up", stop_reason: "tool_use" },
      content: [{ type: "tool_use", id: "c", name: "look", input }],
      usage: { input_tokens: 3, output_tokens: 2 },
    },
    [
      { type: "message_start", message: { id: "m", model: "up", usage: { input_tokens: 3, output_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "c", name: "look", input } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 2 } },
      { type: "message_stop" },
    ]
      .map((event) => `event: ${event.type}\ndata: ${json(event)}\n\n`)
      .join(""),
  ],
  ...[
    {
      candidates: [{ content: { parts: [{ functionCall: { name: "look", args: input } }] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 },
    },
  ].map((wire): [string, WireName, object, string] => ["arguments", "gemini", wire, `data: ${json(wire)}\n\n`]),
  [
    "an input",
    "converse",
    {
      output: { message: { role: "assistant", content: [{ toolUse: { toolUseId: "c", name: "look", input } }] } },
      stopReason: "tool_use",
      usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
    },
    "",
  ],
  [
    "arguments",
    "cohere",
    { id: "x", finish_reason: "TOOL_CALL", message: { role: "assistant", tool_calls: [chatCall(json(input))] } },
    "",
  ],
];

describe.each(ANSWERS)("%s of a supplier of the format %s", (_name, wire, whole, stream) => {
  test.each(Object.entries(REQUESTS))("reaches a %s client with its long numbers", async (dialect, { read, body }) => {
    if (dialect === wire) return;
    const way = translatorFor(dialect as DialectName, wire)!;
    const inference = read(json({ model: "m", ...body }));
    const answer = (await way.readAnswer(inference, Buffer.from(json(whole)))).body.toString();
    const tools = answer.indexOf('"tools"');
    const seen = [tools < 0 ? answer : answer.slice(0, tools)];
    if (stream !== "")
      seen.push(through(way.openStream(read(json({ model: "m", stream: true, ...body }))), [Buffer.from(stream)]));
    for (const text of seen) {
      expect(text).not.toContain(ROUNDED);
      expect(text).not.toContain("number-");
      expect(text.split(BIG).length - 1).toBeGreaterThanOrEqual(2);
    }
  });
});

test("what gw takes out of a body that passes leaves its long numbers alone", () => {
  const metadata = { session_id: "s", order: "BIG" };
  const thought = { type: "redacted_thinking", data: sealThought("Hm.", "gw:reasoning_content") };
  const call = { type: "tool_use", id: "c", name: "look", input };
  const messages = [user("hi"), { role: "assistant", content: [thought, call] }];
  const sentMessages = translatorFor("messages", "messages")!.forward(
    readMessages(json({ model: "m", max_tokens: 9, messages, metadata })),
    aRoute("messages"),
  );
  expect(JSON.parse(String(sentMessages).replaceAll(BIG, '"BIG"'))).toMatchObject({
    metadata: { order: "BIG" },
    messages: [{}, { content: [call] }],
  });

  const tools = [{ type: "web_search" }, { type: "function", name: "look", parameters: schema }];
  const input_ = [
    user("hi"),
    { type: "reasoning", summary: [], encrypted_content: "gw1.x" },
    { type: "tool_search_call", call_id: "s", execution: "client", arguments: input },
  ];
  const sentItems = translatorFor("responses", "responses")!.forward(
    readResponses(json({ model: "m", input: input_, tools, metadata })),
    aRoute("chat"),
  );
  expect(JSON.parse(String(sentItems).replaceAll(BIG, '"BIG"'))).toMatchObject({
    metadata: { order: "BIG" },
    input: [{}, { arguments: input }],
    tools: [{ parameters: schema }],
  });
});

test("what gw adds to a body that passes leaves its long numbers alone", () => {
  const parameters = { type: "object", "x-limits": { most: "BIG" } };
  const chat = { messages: [user("hi")], tools: [{ type: "function", function: { name: "look", parameters } }] };
  const sent = String(
    translatorFor("chat", "chat")!.forward(readChat(json({ model: "m", ...chat })), aRoute("chat", "gpt-4.1")),
  );
  expect(sent).toContain('"properties":{}');
  expect(sent).toContain(`"most":${BIG}`);
  const output_config = {
    effort: "xhigh",
    format: { type: "json_schema", schema: { type: "object", const: ["BIG"] } },
  };
  const asked = { max_tokens: 9, messages: [user("hi")], output_config };
  const route = aRoute("messages", "claude-sonnet-4-6");
  const kept = String(
    translatorFor("messages", "messages")!.forward(readMessages(json({ model: "m", ...asked })), route),
  );
  expect(kept).not.toContain("xhigh");
  expect(kept).toContain(`"const":[${BIG}]`);
});
