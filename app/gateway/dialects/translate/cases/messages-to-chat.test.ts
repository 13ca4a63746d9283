import { describe, expect, test } from "vitest";
import { messagesToMessages } from "../../messages";
import { readMessages } from "../../messages/read";
import { sealThought } from "../../wire/thoughts/sealed-thoughts";
import { aRoute } from "../__fixtures__/streams";
import { messagesToChat } from "../index";

const route = aRoute("chat");
const inference = (body: object) =>
  readMessages(JSON.stringify({ model: "m", max_tokens: 100, messages: [{ role: "user", content: "hi" }], ...body }));
const sent = (body: object, upstream = route) =>
  JSON.parse(messagesToChat.forward(inference(body), upstream) as string);
const sentMessages = (...messages: object[]) => sent({ messages }).messages;
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } };
const imagePart = { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } };
const lookUp = { name: "look_up", description: "Looks", input_schema: { type: "object" } };
const ephemeral = { cache_control: { type: "ephemeral" } };

describe("the conversation", () => {
  test("system text comes first, system turns keep their place", () => {
    const body = sent({
      system: [
        { type: "text", text: "Be kind.", ...ephemeral },
        { type: "text", text: "Be brief." },
      ],
      messages: [
        { role: "user", content: "a" },
        { role: "system", content: [{ type: "text", text: "Note." }] },
        { role: "system", content: "Another." },
        { role: "assistant", content: "b" },
        { role: "user", content: [{ type: "text", text: "c", ...ephemeral }] },
      ],
    });
    expect(body.messages).toEqual([
      { role: "system", content: "Be kind.\n\nBe brief." },
      { role: "user", content: "a" },
      { role: "system", content: "Note." },
      { role: "system", content: "Another." },
      { role: "assistant", content: "b" },
      { role: "user", content: "c" },
    ]);
  });

  test("results come before the text of their turn, in their order; failures say so; pictures are kept", () => {
    const [, , ...after] = sentMessages(
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Looking." },
          { type: "tool_use", id: "toolu_1", name: "look_up", input: { q: 1 } },
          { type: "tool_use", id: "toolu_2", name: "shot", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_1", content: "not found", is_error: true, ...ephemeral },
          { type: "tool_result", tool_use_id: "toolu_2", content: [{ type: "text", text: "Here:" }, image] },
          { type: "text", text: "and?" },
        ],
      },
    );
    expect(after).toEqual([
      { role: "tool", tool_call_id: "toolu_1", content: "Error: not found" },
      { role: "tool", tool_call_id: "toolu_2", content: "Here:" },
      {
        role: "user",
        content: [{ type: "text", text: "From the result of toolu_2:" }, imagePart, { type: "text", text: "and?" }],
      },
    ]);
  });

  test("assistant turns keep text and calls; other suppliers' thoughts stay out", () => {
    const [, assistant] = sentMessages(
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "secret", signature: "Eq==" },
          { type: "redacted_thinking", data: "x" },
          { type: "tool_use", id: "toolu_1", name: "look_up", input: { q: "ü" } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1" }] },
    );
    expect(assistant).toEqual({
      role: "assistant",
      content: null,
      tool_calls: [{ id: "toolu_1", type: "function", function: { name: "look_up", arguments: '{"q":"ü"}' } }],
    });
  });

  test("consecutive user turns stay apart, empty ones vanish", () => {
    expect(
      sentMessages({ role: "user", content: "a" }, { role: "user", content: "" }, { role: "user", content: "b" }),
    ).toEqual([
      { role: "user", content: "a" },
      { role: "user", content: "b" },
    ]);
  });

  test("ids that are too long stay the same for call and result", () => {
    const id = `toolu_${"x".repeat(60)}`;
    const [, assistant, result] = sentMessages(
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "tool_use", id, name: "look_up", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "1" }] },
    );
    expect(assistant.tool_calls[0].id).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
    expect(result.tool_call_id).toBe(assistant.tool_calls[0].id);
  });

  test("thoughts that came from a chat-style supplier go back to it, under their name", () => {
    const given = inference({ thinking: { type: "adaptive" } });
    const answer = {
      id: "c",
      model: "x",
      choices: [{ index: 0, message: { content: "4", reasoning: "2+2" }, finish_reason: "stop" }],
    };
    const { content } = JSON.parse(
      messagesToChat.readAnswer(given, Buffer.from(JSON.stringify(answer))).body.toString(),
    );
    expect(content[0]).toMatchObject({ type: "thinking", thinking: "2+2" });
    const history = [
      { role: "user", content: "2+2?" },
      { role: "assistant", content },
      { role: "user", content: "sure?" },
    ];
    expect(sent({ messages: history }).messages[1]).toEqual({ role: "assistant", content: "4", reasoning: "2+2" });
    const passed = JSON.parse(
      messagesToMessages.forward(inference({ messages: history }), aRoute("messages")) as string,
    );
    expect(passed.messages[1].content).toEqual([{ type: "text", text: "4" }]);
  });
});

describe("pictures and documents", () => {
  const part = (block: object) =>
    sentMessages({ role: "user", content: [block, { type: "text", text: "?" }] })[0].content[0];

  test("come as data or by address", () => {
    expect(part(image)).toEqual(imagePart);
    expect(part({ type: "image", source: { type: "url", url: "https://example.com/a.png" } })).toEqual({
      type: "image_url",
      image_url: { url: "https://example.com/a.png" },
    });
    const pdf = { type: "base64", media_type: "application/pdf", data: "JVBERg==" };
    expect(part({ type: "document", source: pdf, title: "a.pdf" })).toEqual({
      type: "file",
      file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERg==" },
    });
    expect(
      part({ type: "document", source: { type: "text", media_type: "text/plain", data: "hi" }, title: "T" }),
    ).toEqual({
      type: "text",
      text: "T\n\nhi",
    });
    const content = { type: "content", content: [{ type: "text", text: "inside" }] };
    expect(part({ type: "document", source: content })).toEqual({ type: "text", text: "inside" });
    expect(
      part({ type: "search_result", title: "T", source: "https://e.com", content: [{ type: "text", text: "x" }] }),
    ).toEqual({ type: "text", text: "T\nhttps://e.com\nx" });
  });

  test.each([
    [{ type: "document", source: { type: "url", url: "https://e.com/a.pdf" } }, "messages[0].content[0].source"],
    [{ type: "document", source: { type: "file", file_id: "f" } }, "messages[0].content[0].source"],
    [{ type: "image", source: { type: "file", file_id: "f" } }, "messages[0].content[0].source"],
    [{ type: "container_upload", file_id: "f" }, "messages[0].content[0]"],
  ])("%j is refused by name", (block, param) => {
    expect(() => part(block)).toThrow(expect.objectContaining({ code: "unsupported_parameter", param }));
  });
});

describe("tools", () => {
  test("keep their whole schema; marks for the cache and for late loading are left out", () => {
    const input_schema = {
      $schema: "x",
      type: "object",
      properties: { a: { minLength: 2 } },
      additionalProperties: false,
    };
    const tools = [
      { name: "f", description: "d", input_schema, defer_loading: true, eager_input_streaming: true, ...ephemeral },
      { type: "custom", name: "g", input_schema, strict: true },
      { type: "tool_search_tool_regex_20251119", name: "tool_search_tool_regex" },
    ];
    expect(sent({ tools }).tools).toEqual([
      { type: "function", function: { name: "f", description: "d", parameters: input_schema } },
      { type: "function", function: { name: "g", parameters: input_schema, strict: true } },
    ]);
  });

  test.each([
    [{ type: "auto" }, "auto", undefined],
    [{ type: "any" }, "required", undefined],
    [{ type: "none" }, "none", undefined],
    [{ type: "tool", name: "look_up" }, { type: "function", function: { name: "look_up" } }, undefined],
    [{ type: "any", disable_parallel_tool_use: true }, "required", false],
    [{ type: "auto", disable_parallel_tool_use: false }, "auto", true],
  ])("the choice %j", (tool_choice, expected, parallel) => {
    const body = sent({ tools: [lookUp], tool_choice });
    expect([body.tool_choice, body.parallel_tool_calls]).toEqual([expected, parallel]);
  });

  test("names that are too long go out short and come back whole", () => {
    const name = `mcp__${"server_".repeat(15)}do`;
    const given = inference({ tools: [{ ...lookUp, name }] });
    const short = JSON.parse(messagesToChat.forward(given, route) as string).tools[0].function.name;
    expect(short).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    const tool_calls = [{ id: "call_1", type: "function", function: { name: short, arguments: "" } }];
    const answer = {
      id: "c",
      model: "x",
      choices: [{ index: 0, message: { content: "", tool_calls }, finish_reason: "stop" }],
    };
    const seen = JSON.parse(messagesToChat.readAnswer(given, Buffer.from(JSON.stringify(answer))).body.toString());
    expect(seen.content).toEqual([{ type: "tool_use", id: "call_1", name, input: {} }]);
    expect(seen.stop_reason).toBe("tool_use");
  });
});

describe("settings", () => {
  test("what the two dialects call differently, and usage asked for in streams", () => {
    const body = sent({
      stop_sequences: ["a", "b", "c", "d", "e"],
      temperature: 0.4,
      top_p: 0.9,
      stream: true,
      metadata: { user_id: "u-1", session_id: "s" },
      region: "eu",
    });
    expect(body).toEqual({
      model: "upstream-model",
      messages: [{ role: "user", content: "hi" }],
      max_tokens: 100,
      temperature: 0.4,
      top_p: 0.9,
      stop: ["a", "b", "c", "d", "e"],
      stream: true,
      stream_options: { include_usage: true },
      user: "u-1",
    });
  });

  test("the ceiling stands where the catalogue says, else where the model takes it", () => {
    const route = aRoute("chat", "some-model");
    const newer = { ...route, supplier: { ...route.supplier, outputField: "max_completion_tokens" as const } };
    expect(sent({}, route)).toMatchObject({ max_tokens: 100 });
    expect(sent({}, newer)).toMatchObject({ max_completion_tokens: 100 });
    expect(sent({}, newer).max_tokens).toBeUndefined();
    expect(sent({}, { ...newer, outputField: "max_tokens" })).toMatchObject({ max_tokens: 100 });
    expect(sent({}, aRoute("chat", "gpt-5.2"))).toMatchObject({ max_completion_tokens: 100 });
  });

  test("a user's name that is too long becomes a short one that stays the same", () => {
    const user_id = JSON.stringify({ device_id: "d".repeat(64), account_uuid: "", session_id: "s" });
    const { user } = sent({ metadata: { user_id } });
    expect(user).toMatch(/^[0-9a-f]{64}$/);
    expect(sent({ metadata: { user_id } }).user).toBe(user);
  });

  test("a JSON schema is asked for as such", () => {
    const schema = { type: "object", properties: {} };
    expect(
      sent({ output_config: { effort: "high", format: { type: "json_schema", schema } } }).response_format,
    ).toEqual({
      type: "json_schema",
      json_schema: { name: "answer", schema, strict: true },
    });
  });

  test("what agents always send is no obstacle", () => {
    const body = {
      thinking: { type: "adaptive" },
      context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
      output_config: { effort: "medium" },
      cache_control: { type: "ephemeral" },
      service_tier: "auto",
      speed: "standard",
      diagnostics: { previous_message_id: null },
      mcp_servers: [],
      container: null,
    };
    expect(sent(body)).toEqual(sent({}));
  });

  test.each([
    [{ container: "c" }, "container"],
    [{ mcp_servers: [{ url: "https://e.com" }] }, "mcp_servers"],
    [{ max_tokens: 0 }, "max_tokens"],
    [{ tools: [{ type: "web_search_20250305", name: "web_search" }] }, "tools[0].type"],
    [{ tools: [{ type: "code_execution_20250825", name: "code_execution" }] }, "tools[0].type"],
    [{ something_new: 1 }, "something_new"],
    [{ thread: { type: "create" } }, "thread"],
    [
      {
        messages: [{ role: "assistant", content: [{ type: "something_new", id: "s", name: "web_search", input: {} }] }],
      },
      "messages[0].content[0]",
    ],
  ])("%j is refused by name", (body, param) => {
    expect(() => sent(body)).toThrow(expect.objectContaining({ code: "unsupported_parameter", status: 400, param }));
  });

  test.each([
    [{ tools: [{ name: "x" }] }, "tools[0].input_schema"],
    [{ tool_choice: { type: "x" } }, "tool_choice.type"],
    [{ messages: [{ role: "user", content: [{ type: "text" }] }] }, "messages[0].content[0].text"],
    [{ messages: [{ role: "user", content: [{ type: "tool_result" }] }] }, "messages[0].content[0].tool_use_id"],
    [{ stop_sequences: "x" }, "stop_sequences"],
  ])("%j is malformed, and said to be so", (body, param) => {
    expect(() => sent(body)).toThrow(expect.objectContaining({ code: "invalid_request", param }));
  });
});

describe("a whole answer", () => {
  const read = (choice: object, body: object = {}, more: object = {}) => {
    const answer = { id: "chatcmpl-1", model: "gpt-x", choices: [{ index: 0, ...choice }], ...more };
    return messagesToChat.readAnswer(inference(body), Buffer.from(JSON.stringify(answer)));
  };
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 7,
    prompt_tokens_details: { cached_tokens: 80 },
    completion_tokens_details: { reasoning_tokens: 3 },
  };

  test("is a message of the model that was asked for, by that name", () => {
    const tool_calls = [{ id: "call_1", type: "function", function: { name: "look_up", arguments: '{"q":1}' } }];
    const message = { role: "assistant", content: "Hello", reasoning_content: "hm", tool_calls };
    const answer = read({ message, finish_reason: "tool_calls" }, {}, { usage });
    expect(JSON.parse(answer.body.toString())).toEqual({
      id: "msg_chatcmpl-1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [
        { type: "text", text: "Hello" },
        { type: "redacted_thinking", data: sealThought("hm", "gw:reasoning_content") },
        { type: "tool_use", id: "call_1", name: "look_up", input: { q: 1 } },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      stop_details: null,
      usage: {
        input_tokens: 20,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 80,
        output_tokens: 7,
        output_tokens_details: { thinking_tokens: 3 },
      },
    });
    expect(answer.usage).toMatchObject({ inputTokens: 100, cachedInputTokens: 80 });
  });

  test("shows thoughts to those who asked for thinking", () => {
    const message = { content: "4", reasoning_content: "2+2" };
    const seen = JSON.parse(
      read({ message, finish_reason: "stop" }, { thinking: { type: "adaptive" } }).body.toString(),
    );
    expect(seen.content.map(({ type }: { type: string }) => type)).toEqual(["thinking", "text"]);
  });

  test.each([
    [{ finish_reason: "stop" }, "end_turn", null],
    [{ finish_reason: "length" }, "max_tokens", null],
    [{ finish_reason: "content_filter" }, "refusal", null],
    [{ finish_reason: "stop", stop_reason: "END" }, "stop_sequence", "END"],
    [{ finish_reason: "stop", stop_reason: 151643 }, "end_turn", null],
  ])("with %j stopped by %s", (end, stop_reason, stop_sequence) => {
    const answer = read({ message: { content: "a" }, ...end }, { stop_sequences: ["END"] });
    expect(JSON.parse(answer.body.toString())).toMatchObject({ stop_reason, stop_sequence });
  });

  test("states its usage once that is settled, where the supplier said nothing", () => {
    const answer = read({ message: { content: "a" }, finish_reason: "stop" });
    expect(answer.usage).toBeNull();
    const settled = { inputTokens: 5, outputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
    expect(JSON.parse(answer.withUsage!(settled).toString()).usage).toMatchObject({
      input_tokens: 5,
      output_tokens: 1,
    });
  });

  test("calls without an id, or with the same one, get their own", () => {
    const call = { type: "function", function: { name: "f", arguments: "{}" } };
    const tool_calls = [call, call, { ...call, id: "a" }, { ...call, id: "a" }];
    const seen = JSON.parse(read({ message: { tool_calls }, finish_reason: "tool_calls" }).body.toString());
    const ids = seen.content.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });
});
