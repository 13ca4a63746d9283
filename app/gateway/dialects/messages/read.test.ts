import { describe, expect, test } from "vitest";
import { aRoute } from "../translate/__fixtures__/streams";
import { forwardedHeaders } from "./forward";
import { messagesDialect, messagesToMessages } from "./index";
import { mediaTokens } from "./prompt-text";
import { type MessagesSource, readCountTokens, readMessages } from "./read";

const messages = [{ role: "user", content: "hi" }];
const read = (body: object) => readMessages(JSON.stringify({ model: "m", max_tokens: 10, messages, ...body }));
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "a".repeat(4000) } };

/** The shortened request of a coding agent. */
const AGENT = {
  model: "m",
  max_tokens: 32000,
  stream: true,
  system: [
    { type: "text", text: "x-billing: a=1" },
    { type: "text", text: "You are an agent.", cache_control: { type: "ephemeral", ttl: "1h" } },
  ],
  messages: [
    { role: "user", content: [{ type: "text", text: "go", cache_control: { type: "ephemeral" } }] },
    { role: "system", content: "A reminder." },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "", signature: "Eq==" },
        { type: "tool_use", id: "toolu_1", name: "Read", input: { path: "a" }, caller: { type: "direct" } },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "toolu_1",
          is_error: true,
          content: [image, { type: "text", text: "x" }, { type: "tool_reference", tool_name: "Grep" }],
        },
      ],
    },
  ],
  tools: [
    { name: "Read", description: "d", input_schema: { type: "object" }, eager_input_streaming: true },
    { name: "Grep", input_schema: { type: "object" }, defer_loading: true },
    { type: "web_search_20250305", name: "web_search", max_uses: 8 },
  ],
  thinking: { type: "adaptive" },
  context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
  output_config: { effort: "medium" },
  metadata: { user_id: '{"device_id":"d","session_id":"s"}' },
  temperature: 1,
};

describe("reading", () => {
  test("takes what coding agents send", () => {
    const inference = readMessages(JSON.stringify(AGENT));
    expect(inference).toMatchObject({
      dialect: "messages",
      endpoint: "messages",
      requestedModel: "m",
      stream: true,
      region: null,
      sessionId: null,
      size: { hasMedia: true, maxOutputTokens: 32000, choices: 1 },
      retrySafe: true,
    });
  });

  test("bounds the uses of tools that are billed by use", () => {
    const usesOf = (...max_uses: unknown[]) =>
      readMessages(
        JSON.stringify({
          model: "m",
          max_tokens: 5,
          messages: [{ role: "user", content: "hello" }],
          tools: max_uses.map((uses) => ({ type: "web_search_20250305", name: "web_search", max_uses: uses })),
        }),
      ).size.maxToolUses;
    expect(usesOf()).toBeUndefined();
    expect(usesOf(8, 0, null)).toBe(28);
    expect(() => usesOf(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).toThrow(
      expect.objectContaining({ code: "invalid_request", status: 400, param: "tools[0].max_uses" }),
    );
  });

  test("finds gw's own fields", () => {
    const inference = read({ region: "EU", metadata: { sticky_key: "k", session_id: "s" } });
    expect([inference.region, inference.sessionId]).toEqual(["eu", "s"]);
  });

  test("text alone is bounded by its bytes, anything else is not", () => {
    expect(read({}).size.hasMedia).toBe(false);
    expect(read({ messages: [{ role: "user", content: [image] }] }).size.hasMedia).toBe(true);
    expect(read({ tools: [{ type: "web_search_20250305", name: "web_search" }] }).size.hasMedia).toBe(true);
  });

  test("a conversation that its supplier keeps is bounded by the model's window, and may go on without a new message", () => {
    expect(read({ thread: { type: "create" } }).size.readsMore).toBe(false);
    const thread = { type: "continue", previous_message_id: "msg_1" };
    expect(read({ thread }).size.readsMore).toBe(true);
    expect(read({ thread, messages: [] }).size.readsMore).toBe(true);
  });

  test("a request that leaves something behind is not sent twice", () => {
    expect(read({ container: "c" }).retrySafe).toBe(false);
    expect(read({ thread: { type: "create" } }).retrySafe).toBe(false);
    expect(read({ mcp_servers: [{ url: "https://e.com" }] }).retrySafe).toBe(false);
    expect(read({ tools: [{ type: "code_execution_20250825", name: "code_execution" }] }).retrySafe).toBe(false);
  });

  test.each([
    [{ max_tokens: undefined }, "missing_fields", "max_tokens"],
    [{ messages: undefined }, "missing_fields", "messages"],
    [{ model: undefined }, "missing_model", "model"],
    [{ max_tokens: 1.5 }, "invalid_request", "max_tokens"],
    [{ max_tokens: -1 }, "invalid_request", "max_tokens"],
    [{ max_tokens: "10" }, "invalid_request", "max_tokens"],
    [{ messages: [] }, "invalid_request", "messages"],
    [{ messages: [{ role: "tool", content: "x" }] }, "invalid_request", "messages[0].role"],
    [{ messages: [{ role: "user" }] }, "invalid_request", "messages[0].content"],
    [{ messages: [{ role: "user", content: ["x"] }] }, "invalid_request", "messages[0].content[0].type"],
    [{ system: 1 }, "invalid_request", "system"],
    [{ tools: {} }, "invalid_request", "tools"],
    [{ temperature: 1.5 }, "invalid_request", "temperature"],
    [{ stream: "yes" }, "invalid_request", "stream"],
    [{ region: 1 }, "invalid_request", "region"],
    [{ speed: "fast" }, "unsupported_parameter", "speed"],
    [{ inference_geo: "us" }, "unsupported_parameter", "inference_geo"],
    [{ service_tier: "priority" }, "unsupported_parameter", "service_tier"],
    [{ fallbacks: [{ model: "dearer" }] }, "unsupported_parameter", "fallbacks"],
    [{ tools: [{ type: "advisor_20260301", name: "advisor", model: "x" }] }, "unsupported_parameter", "tools[0].type"],
    [{ thread: "msg_1" }, "invalid_request", "thread"],
    [{ messages: [], thread: { type: "create" } }, "invalid_request", "messages"],
    [{ Thread: { type: "continue" } }, "invalid_request", "thread"],
  ])("%j is refused with %s", (body, code, param) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ code, param, status: 400 }));
  });

  test("a body that is not an object is not JSON for us", () => {
    for (const text of ["", "{", "[]", "null", '"x"'])
      expect(() => readMessages(text)).toThrow(expect.objectContaining({ code: "invalid_json" }));
  });

  test("a count needs no ceiling", () => {
    const inference = readCountTokens(JSON.stringify({ model: "m", messages }));
    expect(inference).toMatchObject({ endpoint: "messages/count_tokens", stream: false });
  });
});

describe("passing through", () => {
  const route = aRoute("messages", "claude-upstream");

  test("changes the model and nothing else of the body", () => {
    const text =
      '{ "model":"m", "max_tokens": 10,\n"messages":[{"role":"user","content":"\\u00fc 12345678901234567890"}],"new":{"b":1.50} }';
    expect(messagesToMessages.forward(readMessages(text), route)).toBe(
      '{"model":"claude-upstream","max_tokens": 10,"messages":[{"role":"user","content":"\\u00fc 12345678901234567890"}],"new":{"b":1.50}}',
    );
  });

  test("no other model may answer in the place of the one that is asked", () => {
    for (const fallbacks of ["default", []])
      expect(JSON.parse(messagesToMessages.forward(read({ fallbacks }), route) as string)).not.toHaveProperty(
        "fallbacks",
      );
  });

  test("takes gw's own fields out, and leaves the client's", () => {
    const body = JSON.parse(
      messagesToMessages.forward(
        read({ region: "eu", metadata: { session_id: "s", sticky_key: "k", user_id: "u" } }),
        route,
      ) as string,
    );
    expect(body).toEqual({ model: "claude-upstream", max_tokens: 10, messages, metadata: { user_id: "u" } });
    const own = messagesToMessages.forward(read({ metadata: { session_id: "s" } }), route) as string;
    expect(JSON.parse(own)).not.toHaveProperty("metadata");
  });

  test.each([
    [{}, { "anthropic-version": "2023-06-01" }],
    [{ "anthropic-version": "2026-10-21" }, { "anthropic-version": "2026-10-21" }],
    [{ "vendord-version": "2026-10-21" }, { "anthropic-version": "2026-10-21" }],
    [{ "anthropic-version": "x\u00fc" }, { "anthropic-version": "2023-06-01" }],
    [
      {
        "anthropic-beta": "context-1m-2025-08-07, oauth-2025-04-20,,bad name,b.1_x",
        "x-api-key": "gw_secret",
        cookie: "a",
      },
      { "anthropic-version": "2023-06-01", "anthropic-beta": "context-1m-2025-08-07,b.1_x" },
    ],
  ])("of the headers %j goes on %j", (given, expected) => {
    expect(forwardedHeaders(new Headers(given as Record<string, string>))).toEqual(expected);
  });
});

describe("estimates", () => {
  test("see all text, and pictures by what they cost instead of their bytes", () => {
    const inference = readMessages(JSON.stringify(AGENT));
    const text = messagesDialect.promptText(inference);
    for (const piece of ["You are an agent.", "A reminder.", "Read", '{"path":"a"}', "go"])
      expect(text).toContain(piece);
    expect(text).not.toContain("aaaa");
    expect(mediaTokens((inference.source as MessagesSource).body)).toBe(1500);
  });
});

test("an error event is what SDKs of the dialect raise", () => {
  const bytes = messagesDialect.errorEvent({
    code: "stream_interrupted",
    type: "conflict_error",
    message: "stream_interrupted - It stopped.",
    humanMessage: "It stopped.",
  });
  const [name, data] = bytes!.toString().trimEnd().split("\n");
  expect(name).toBe("event: error");
  expect(JSON.parse(data!.slice(6))).toEqual({
    type: "error",
    error: {
      type: "api_error",
      message: "stream_interrupted - It stopped.",
      code: "stream_interrupted",
      human_message: "It stopped.",
    },
  });
});
