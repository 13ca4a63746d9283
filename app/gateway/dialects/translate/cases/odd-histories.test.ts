import { describe, expect, test } from "vitest";
import { type Json, type SupplierName, sent } from "../__fixtures__/sent";

type To = readonly [SupplierName, model: string];
const CLAUDE: To = ["anthropic", "claude-sonnet-5"];
const BEDROCK: To = ["bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"];
const NOVA: To = ["bedrock", "us.amazon.nova-2-lite-v1:0"];
const OPENAI: To = ["openai", "gpt-4.1"];
const GEMINI: To = ["gemini", "gemini-2.5-flash"];

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown, more: Json = {}) => ({ role: "assistant", content, ...more });
const call = (id: string, name = "f") => ({ id, type: "function", function: { name, arguments: "{}" } });
const result = (id: string, content = id) => ({ role: "tool", tool_call_id: id, content });
const PLAIN_TOOL = { type: "object", properties: {} };

describe("marks for the cache", () => {
  const hour = { cache_control: { type: "ephemeral", ttl: "1h" } };
  const text = (said: string) => ({ type: "text", text: said, ...hour });
  const messages = ["a", "b", "c", "d", "e"].map((said, at) => ({
    role: at % 2 ? "assistant" : "user",
    content: [text(said)],
  }));
  const body = {
    system: [text("s")],
    messages,
    tools: [{ name: "f", input_schema: PLAIN_TOOL, ...hour }],
  };
  const chatBody = {
    messages: [{ role: "system", content: [text("s")] }, ...messages],
    tools: [{ type: "function", function: { name: "f", parameters: PLAIN_TOOL }, ...hour }],
  };
  const count = (written: unknown, mark: string) => JSON.stringify(written).split(mark).length - 1;

  test("are four at most: the first one and the last ones", () => {
    const { body: claude } = sent("chat", CLAUDE, chatBody);
    expect(count(claude, '"cache_control"')).toBe(4);
    expect(claude.tools[0]).toMatchObject(hour);
    expect(claude.messages.map(({ content }: Json) => "cache_control" in content[0])).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(count(sent("messages", BEDROCK, body).body, '"cachePoint"')).toBe(4);
  });

  test("are not at the tools of Nova, and not for an hour", () => {
    const { body: nova } = sent("messages", NOVA, { ...body, messages: messages.slice(0, 1) });
    expect(nova.toolConfig.tools).toHaveLength(1);
    expect(nova.system[1]).toEqual({ cachePoint: { type: "default" } });
    expect(sent("messages", BEDROCK, { ...body, messages: messages.slice(0, 1) }).body.system[1]).toEqual({
      cachePoint: { type: "default", ttl: "1h" },
    });
  });

  test("are for five minutes where a Claude of Bedrock has no hour", () => {
    const older = sent("messages", ["bedrock", "anthropic.claude-3-7-sonnet-20250219-v1:0"], body).body;
    expect(count(older, '"cachePoint"')).toBe(4);
    expect(count(older, '"1h"')).toBe(0);
  });
});

describe("a picture goes by its bytes, not by what its client calls it", () => {
  const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70, 0, 1]).toString("base64");
  const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk";
  const WEBP = Buffer.from("RIFF\x24\0\0\0WEBPVP8 ", "latin1").toString("base64");

  test.each<[declared: string, data: string, is: string]>([
    ["image/png", JPEG, "image/jpeg"],
    ["image/jpeg", PNG, "image/png"],
    ["image/jpg", JPEG, "image/jpeg"],
    ["image/jpg", "AAAA", "image/jpeg"],
    ["application/octet-stream", WEBP, "image/webp"],
    ["", PNG, "image/png"],
    ["image/gif", "R0lGODlhAQABAAAAACw=", "image/gif"],
  ])("%j", (declared, data, is) => {
    const messages = [user([{ type: "image_url", image_url: { url: `data:${declared};base64,${data}` } }])];
    expect(sent("chat", CLAUDE, { messages }).body.messages[0].content[0].source).toEqual({
      type: "base64",
      media_type: is,
      data,
    });
    const [image] = sent("chat", BEDROCK, { messages }).body.messages[0].content;
    expect(image.image.format).toBe(is.slice("image/".length));
    expect(sent("chat", GEMINI, { messages }).body.contents[0].parts[0].inlineData.mimeType).toBe(is);
  });

  test("in a result as well, and a PDF that is called something else", () => {
    const content = [{ type: "image", source: { type: "base64", media_type: "image/png", data: JPEG } }];
    const messages = [
      user("hi"),
      assistant([{ type: "tool_use", id: "t1", name: "f", input: {} }]),
      user([{ type: "tool_result", tool_use_id: "t1", content }]),
    ];
    const { toolResult } = sent("messages", BEDROCK, { messages }).body.messages[2].content[0];
    expect(toolResult.content[0].image.format).toBe("jpeg");
    const file = {
      filename: "a.pdf",
      file_data: `data:application/octet-stream;base64,${Buffer.from("%PDF-1.7").toString("base64")}`,
    };
    const written = sent("chat", CLAUDE, { messages: [user([{ type: "file", file }])] }).body.messages[0].content[0];
    expect(written).toMatchObject({ type: "document", title: "a.pdf", source: { media_type: "application/pdf" } });
  });

  test("a file of JSON is a text, and one by its address is that address", () => {
    const file = (file_data: string) => ({ messages: [user([{ type: "file", file: { file_data } }])] });
    const json = sent(
      "chat",
      CLAUDE,
      file(`data:application/json;base64,${Buffer.from('{"a":1}').toString("base64")}`),
    );
    expect(json.body.messages[0].content[0].source).toMatchObject({ type: "text", data: '{"a":1}' });
    const address = sent("chat", CLAUDE, file("https://example.com/a.pdf"));
    expect(address.body.messages[0].content[0].source).toEqual({ type: "url", url: "https://example.com/a.pdf" });
  });
});

describe("a picture by its address", () => {
  const messages = (url: string) => [user([{ type: "image_url", image_url: { url } }])];
  const address = "https://example.com/a.png?size=2";

  test("is fetched by a newer Gemini, and refused for an older one and from an open place", () => {
    const { body } = sent("chat", GEMINI, { messages: messages(address) });
    expect(body.contents[0].parts).toEqual([{ fileData: { mimeType: "image/png", fileUri: address } }]);
    for (const [model, url] of [
      ["gemini-2.0-flash", address],
      ["gemini-3-pro-preview", "http://example.com/a.png"],
    ] as const)
      expect(() => sent("chat", ["gemini", model], { messages: messages(url) })).toThrow("messages[0].content[0]");
  });
});

describe("a thought that another vendor with Claude's API has sealed", () => {
  const history = (signature: unknown) => [
    user("hi"),
    assistant([
      { type: "thinking", thinking: "Hm.", signature },
      { type: "text", text: "Hello." },
    ]),
    user("and?"),
  ];
  const UUID = "91cfbb94-554b-4136-8e21-fa02280d56ed";
  const OF_CLAUDE = "ErUBCkYIBBgCIkA5KqRe";

  test.each([
    ["a number", UUID],
    ["a hash", "ab".repeat(32)],
    ["another's token", "gAAAAABp7JIk"],
    ["nothing", ""],
    ["no member", undefined],
  ])("by %s does not reach Claude, but its own vendor", (_by, signature) => {
    const messages = history(signature);
    expect(sent("messages", CLAUDE, { messages }).body.messages[1].content).toEqual([{ type: "text", text: "Hello." }]);
    expect(JSON.stringify(sent("messages", BEDROCK, { messages }).body)).not.toContain("reasoningContent");
    expect(sent("messages", ["anthropic", "deepseek-v4-pro"], { messages }).body.messages).toEqual(
      JSON.parse(JSON.stringify(messages)),
    );
  });

  test.each(["deepseek-v4-pro", "kimi-k2.6"])(
    "calls of another model go to the messages API of %s with a thought",
    (model) => {
      const NO_THOUGHT = { type: "thinking", thinking: "(not recorded)", signature: "" };
      const called = [
        user("hi"),
        assistant([{ type: "tool_use", id: "t1", name: "f", input: {} }]),
        user([{ type: "tool_result", tool_use_id: "t1", content: "x" }]),
      ];
      expect(sent("messages", ["anthropic", model], { messages: called }).body.messages[1].content[0]).toEqual(
        NO_THOUGHT,
      );
      const asChat = [user("hi"), assistant(null, { tool_calls: [call("t1")] }), result("t1")];
      expect(sent("chat", ["anthropic", model], { messages: asChat }).body.messages[1].content[0]).toEqual(NO_THOUGHT);
      expect(JSON.stringify(sent("messages", CLAUDE, { messages: called }).body)).not.toContain("thinking");
    },
  );

  test("Claude's own reach it", () => {
    const messages = history(OF_CLAUDE);
    expect(sent("messages", CLAUDE, { messages }).body.messages).toEqual(messages);
    expect(JSON.stringify(sent("messages", BEDROCK, { messages }).body)).toContain(OF_CLAUDE);
  });

  test("a budget of thinking is turned off where the thought of the last calls is left out", () => {
    const messages = [
      user("hi"),
      assistant([
        { type: "thinking", thinking: "Hm.", signature: UUID },
        { type: "tool_use", id: "t1", name: "f", input: {} },
      ]),
      user([{ type: "tool_result", tool_use_id: "t1", content: "x" }]),
    ];
    const body = { messages, thinking: { type: "enabled", budget_tokens: 2_000 } };
    const { body: written, dropped } = sent("messages", ["anthropic", "claude-haiku-4-5"], body);
    expect(written).not.toHaveProperty("thinking");
    expect(dropped).toContain("thinking");
  });
});

describe("tools and blocks that only Claude knows", () => {
  test.each([
    [{ type: "bash_20250124", name: "bash" }, ["command", "restart"]],
    [{ type: "text_editor_20250728", name: "str_replace_based_edit_tool", max_characters: 9 }, ["command", "path"]],
    [{ type: "memory_20250818", name: "memory" }, ["command", "old_path"]],
    [
      { type: "computer_20250124", name: "computer", display_width_px: 800, display_height_px: 600 },
      ["action", "coordinate"],
    ],
  ])("%j is a function for other models", (tool, properties) => {
    const { body, dropped } = sent("messages", OPENAI, { tools: [tool] });
    expect(body.tools[0].function.name).toBe(tool.name);
    expect(Object.keys(body.tools[0].function.parameters.properties)).toEqual(expect.arrayContaining(properties));
    expect(dropped).toEqual([]);
    expect(sent("messages", BEDROCK, { tools: [tool] }).body.toolConfig.tools[0].toolSpec.name).toBe(tool.name);
  });

  test("the work of its own tools in an earlier answer is left out and named, what the model said of it stays", () => {
    const messages = [
      user("hi"),
      assistant([
        { type: "text", text: "Let me search." },
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
        { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] },
        { type: "text", text: "Found.", citations: [{ type: "web_search_result_location", url: "https://e.com" }] },
      ]),
      user("and?"),
    ];
    const { body, dropped } = sent("messages", OPENAI, { messages });
    expect(body.messages[1].content).toBe("Let me search.Found.");
    expect(dropped).toEqual(["messages.server_tool_use", "messages.web_search_tool_result"]);
    expect(() => sent("messages", OPENAI, { messages: [user("hi"), assistant([{ type: "odd" }])] })).toThrow(
      "messages[1].content[0]",
    );
  });

  test("what stands for a longer conversation is told as a text", () => {
    const messages = [user("hi"), assistant([{ type: "compaction", content: "They said hi." }]), user("and?")];
    expect(sent("messages", OPENAI, { messages }).body.messages[1]).toMatchObject({ content: "They said hi." });
  });
});

describe("results", () => {
  test("stand behind their calls, whatever stands between, and what the user says behind them", () => {
    const messages = [
      user("hi"),
      assistant([
        { type: "tool_use", id: "a", name: "f", input: {} },
        { type: "tool_use", id: "b", name: "f", input: {} },
      ]),
      user([
        { type: "tool_result", tool_use_id: "a", content: "1" },
        { type: "text", text: "note" },
      ]),
      { role: "system", content: "now" },
      user([
        { type: "tool_result", tool_use_id: "b", content: "2" },
        { type: "text", text: "go on" },
      ]),
    ];
    expect(sent("messages", OPENAI, { messages }).body.messages.slice(2)).toEqual([
      { role: "tool", tool_call_id: "a", content: "1" },
      { role: "tool", tool_call_id: "b", content: "2" },
      user("note"),
      { role: "system", content: "now" },
      user("go on"),
    ]);
  });

  test("of calls with one id go with them in their order", () => {
    const messages = [
      user("hi"),
      assistant(null, { tool_calls: [call("x"), call("x")] }),
      result("x", "1"),
      result("x", "2"),
      user("?"),
    ];
    const again = [...messages, assistant(null, { tool_calls: [call("x")] }), result("x", "3")];
    const { body } = sent("chat", CLAUDE, { messages: again });
    const ids = (type: string, name: string) =>
      body.messages.flatMap(({ content }: Json) =>
        content.filter((block: Json) => block.type === type).map((block: Json) => block[name]),
      );
    expect(ids("tool_use", "id")).toEqual(["x", "x_2", "x_3"]);
    expect(ids("tool_result", "tool_use_id")).toEqual(["x", "x_2", "x_3"]);
    expect(ids("tool_result", "content")).toEqual(["1", "2", "3"]);
  });
});

describe("what other suppliers' clients say", () => {
  test.each<[asked: Json, to: To, said: Json]>([
    [{ reasoning: { effort: "high" } }, CLAUDE, { output_config: { effort: "high" } }],
    [{ reasoning: { enabled: false } }, CLAUDE, { thinking: { type: "disabled" } }],
    [
      { reasoning: { max_tokens: 3_000 } },
      ["anthropic", "claude-haiku-4-5"],
      { thinking: { type: "enabled", budget_tokens: 3_000 } },
    ],
    [
      { enable_thinking: true, thinking_budget: 3_000 },
      ["anthropic", "claude-haiku-4-5"],
      { thinking: { type: "enabled", budget_tokens: 3_000 } },
    ],
    [{ chat_template_kwargs: { enable_thinking: false } }, CLAUDE, { thinking: { type: "disabled" } }],
    [
      { thinking: { type: "enabled" } },
      ["anthropic", "claude-haiku-4-5"],
      { thinking: { type: "enabled", budget_tokens: expect.any(Number) } },
    ],
    [{ thinking: { type: "enabled" } }, ["anthropic", "claude-sonnet-4-6"], { thinking: { type: "adaptive" } }],
    [{ include_reasoning: true, reasoning_split: true }, CLAUDE, {}],
  ])("of thinking, %j, is told to %j", (asked, to, said) => {
    expect(sent("chat", to, asked).body).toMatchObject(said);
  });

  test("of the choice among tools", () => {
    const tools = ["a", "b"].map((name) => ({ type: "function", function: { name, parameters: PLAIN_TOOL } }));
    const allowed = { mode: "required", tools: [{ type: "function", function: { name: "b" } }] };
    const { body } = sent("chat", CLAUDE, { tools, tool_choice: { type: "allowed_tools", allowed_tools: allowed } });
    expect(body.tools.map(({ name }: Json) => name)).toEqual(["b"]);
    expect(body.tool_choice).toEqual({ type: "any" });
    expect(sent("chat", CLAUDE, { tools, tool_choice: "any" }).body.tool_choice).toEqual({ type: "any" });
  });

  test("of who speaks is left out and named", () => {
    const messages = [{ ...user("hi"), name: "alice" }];
    expect(sent("chat", CLAUDE, { messages })).toMatchObject({ dropped: ["messages.name"] });
  });

  test("names of tools begin with a letter, and come back", () => {
    const tools = ["1st_tool", "_private", "ok"].map((name) => ({ name, input_schema: PLAIN_TOOL }));
    const names = sent("messages", GEMINI, { tools }).body.tools[0].functionDeclarations.map(({ name }: Json) => name);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z][a-zA-Z0-9_-]*$/);
    expect(names[2]).toBe("ok");
  });

  test("a ceiling below the least that the responses format takes is that least", () => {
    expect(sent("messages", ["openaiResponses", "gpt-5.4"], { max_tokens: 1 }).body.max_output_tokens).toBe(16);
  });

  test.each<[to: To, field: string, most: number]>([
    [OPENAI, "stop", 4],
    [["deepseek", "deepseek-v4-pro"], "stop", 16],
    [["groq", "llama-3.3-70b-versatile"], "stop", 4],
  ])("%j gets no more stop sequences than it takes", (to, field, most) => {
    const stop_sequences = Array.from({ length: 20 }, (_, at) => `s${at}`);
    const { body, dropped } = sent("messages", to, { stop_sequences });
    expect(body[field]).toHaveLength(most);
    expect(dropped).toContain("stop_sequences");
  });
});
