import { describe, expect, test } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import type { InferenceRequest } from "../../canonical/inference-request";
import { readChatAnswer } from "../chat/answer";
import { readChat } from "../chat/read";
import { ChatStreamReader } from "../chat/stream";
import type { Translator } from "../dialect";
import { readMessagesAnswer } from "../messages/answer";
import { readMessages } from "../messages/read";
import { MessagesStreamReader } from "../messages/stream";
import { nativeToNative } from "../native";
import { readNative } from "../native/read";
import { NativeStreamReader } from "../native/stream";
import { responsesToResponses } from "../responses";
import { readResponses } from "../responses/read";
import { isBilledTool } from "./billed-tools";

const said = [{ role: "user", content: "hello" }];
const usesOf = {
  chat: (tools: unknown[], more: object = {}) =>
    readChat(JSON.stringify({ model: "m", messages: said, tools, ...more })).size.maxToolUses,
  messages: (tools: unknown[], more: object = {}) =>
    readMessages(JSON.stringify({ model: "m", max_tokens: 5, messages: said, tools, ...more })).size.maxToolUses,
  responses: (tools: unknown[], more: object = {}) =>
    readResponses(JSON.stringify({ model: "m", input: said, tools, ...more })).size.maxToolUses,
  native: (tools: unknown[], more: object = {}) =>
    readNative(JSON.stringify({ model: "m", input: said, stream: true, tools, ...more })).size.maxToolUses,
};

describe("a tool that the client carries out costs nothing but tokens", () => {
  test.each<[keyof typeof usesOf, object]>([
    ["chat", { type: "function", function: { name: "f" } }],
    ["chat", { function: { name: "f" } }],
    ["chat", { type: "custom", custom: { name: "c" } }],
    ["messages", { name: "f", input_schema: {} }],
    ["messages", { type: "custom", name: "f", input_schema: {} }],
    ["messages", { type: "bash_20250124", name: "bash" }],
    ["messages", { type: "text_editor_20250728", name: "str_replace_based_edit_tool" }],
    ["messages", { type: "computer_20251124", name: "computer" }],
    ["messages", { type: "memory_20250818", name: "memory" }],
    ["messages", { type: "tool_search_tool_bm25_20251119", name: "tool_search" }],
    ["responses", { type: "function", name: "f" }],
    ["responses", { type: "local_shell" }],
    ["responses", { type: "shell", environment: { type: "local" } }],
    ["responses", { type: "apply_patch" }],
    ["responses", { type: "computer_use_preview", display_width: 1 }],
    ["native", { type: "custom", name: "apply_patch" }],
    ["native", { type: "namespace", name: "n", tools: [{ type: "function", name: "f" }] }],
  ])("%s %j", (dialect, tool) => {
    expect(usesOf[dialect]([tool])).toBeUndefined();
  });
});

describe("every other tool counts as one that the supplier bills by use", () => {
  test.each<[keyof typeof usesOf, object]>([
    ...["web_search", "web_search_preview", "browser_search", "code_interpreter", "image_generation", "mcp", "x_search"]
      .flatMap((type) => (["chat", "responses", "native"] as const).map((dialect) => [dialect, { type }] as const))
      .map(([dialect, tool]): [keyof typeof usesOf, object] => [dialect, tool]),
    ["chat", { type: "openrouter:web_search" }],
    ["chat", { type: "builtin_function", function: { name: "$web_search" } }],
    ["chat", { type: "Function", function: { name: "f" } }],
    ["chat", { googleSearch: {} }],
    ["chat", { type: ["function"] }],
    ["messages", { type: "web_search_20260209", name: "web_search" }],
    ["messages", { type: "web_fetch_20260209", name: "web_fetch" }],
    ["messages", { type: "code_execution_20260120", name: "code_execution" }],
    ["messages", { type: "mcp_toolset", mcp_server_name: "s" }],
    ["messages", { type: "a_tool_of_next_year_20270101", name: "t" }],
    ["responses", { type: "file_search", vector_store_ids: ["vs_1"] }],
    ["responses", { type: "shell", environment: { type: "container_auto" } }],
    ["native", { type: "namespace", name: "n", tools: [{ type: "web_search" }] }],
  ])("%s %j", (dialect, tool) => {
    expect(usesOf[dialect]([tool])).toBe(20);
  });

  test("as often as the request allows, or twenty times each", () => {
    const search = { type: "web_search" };
    expect(usesOf.chat([search, search], { n: 3 })).toBe(120);
    expect(usesOf.chat([search], { n: 2, web_search_options: {} })).toBe(42);
    expect(usesOf.responses([search, { type: "mcp" }], { max_tool_calls: 3 })).toBe(3);
    expect(usesOf.messages([], { mcp_servers: [{ type: "url", url: "https://mcp.example" }] })).toBe(20);
    expect(isBilledTool("web_search", "chat")).toBe(false);
  });
});

describe("in the responses format, where agents always offer such tools", () => {
  const tools = [{ type: "function", name: "f" }, { type: "web_search" }];
  const route = (perToolUse: bigint | null) =>
    ({ upstreamModel: "m", supplier: { kind: "chat" }, price: { perToolUse } }) as unknown as Route;
  const both: readonly [string, Translator, InferenceRequest][] = [
    ["native", nativeToNative, readNative(JSON.stringify({ model: "m", input: said, stream: true, tools }))],
    ["responses", responsesToResponses, readResponses(JSON.stringify({ model: "m", input: said, tools }))],
  ];

  test.each(both)(
    "%s: without a price they are left out and named, with one they go on",
    (_, translator, inference) => {
      const sentTools = (price: bigint | null) =>
        JSON.parse(translator.forward(inference, route(price)) as string).tools as unknown;
      expect(sentTools(null)).toEqual([tools[0]]);
      expect(translator.leftOut?.(inference, route(null))).toEqual(["tools.web_search"]);
      expect(sentTools(0n)).toEqual(tools);
      expect(translator.leftOut?.(inference, route(0n))).toEqual([]);
    },
  );

  test("one that must be used and has no price is refused", () => {
    for (const tool_choice of ["required", { type: "web_search" }]) {
      const only = readNative(
        JSON.stringify({ model: "m", input: said, stream: true, tools: [{ type: "web_search" }], tool_choice }),
      );
      expect(() => nativeToNative.forward(only, route(null))).toThrow(
        expect.objectContaining({ code: "unsupported_parameter", param: "tool_choice" }),
      );
      expect(nativeToNative.forward(only, route(7n))).toContain("web_search");
    }
  });
});

const sse = (events: readonly object[]) =>
  Buffer.from(
    events.map((event) => `event: ${(event as { type?: string }).type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
  );
const chatUsage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

describe("uses are counted as the answer reports them, else as it shows them", () => {
  test("chat", () => {
    const answer = (message: object, usage: object = {}) =>
      readChatAnswer(Buffer.from(JSON.stringify({ choices: [{ message }], usage: { ...chatUsage, ...usage } })));
    const cited = { content: "x", annotations: [{ type: "url_citation", url_citation: { url: "u" } }] };
    const executed = { content: "x", executed_tools: [{ index: 0 }, { index: 1 }] };
    expect(answer({ content: "x" }).toolUses).toBe(0);
    expect(answer(cited).toolUses).toBe(1);
    expect(answer(executed).toolUses).toBe(2);
    const told = answer(cited, { server_tool_use: { web_search_requests: 3, web_fetch_requests: 9 } });
    expect([told.usage?.toolUses, told.toolUses]).toEqual([3, 0]);
    expect(answer({}, { num_server_side_tools_used: 4 }).usage?.toolUses).toBe(4);
    expect(answer({}, { server_side_tool_usage: { WEB: 2, CODE: 1 } }).usage?.toolUses).toBe(3);
    expect(answer({}, { num_search_queries: -1 }).usage).toBeNull();
    // Several counters report the same uses.
    const several = {
      server_tool_use: { web_search_requests: 3 },
      num_search_queries: 4,
      num_server_side_tools_used: 2,
    };
    expect(answer({}, several).usage?.toolUses).toBe(4);
  });

  test("a chat stream, whose pieces repeat what was executed", () => {
    const reader = new ChatStreamReader(true);
    const piece = (delta: object) => Buffer.from(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
    reader.push(piece({ content: "a" }));
    reader.push(piece({ content: "b", executed_tools: [{ index: 0 }] }));
    reader.push(piece({ content: "c", executed_tools: [{ index: 0 }, { index: 1 }] }));
    expect(reader.toolUses).toBe(2);
    reader.push(
      Buffer.from(
        `data: ${JSON.stringify({ choices: [], usage: { ...chatUsage, server_tool_use: { web_search_requests: 0 } } })}\n\n`,
      ),
    );
    expect(reader.toolUses).toBe(0);
  });

  const search = { type: "server_tool_use", id: "s", name: "web_search", input: {} };
  const fetched = { type: "server_tool_use", id: "f", name: "web_fetch", input: {} };

  test("messages, where a search that failed is shown and not reported", () => {
    const answer = (usage: object) =>
      readMessagesAnswer(
        Buffer.from(
          JSON.stringify({
            content: [search, fetched, { type: "text", text: "x" }],
            usage: { input_tokens: 1, output_tokens: 2, ...usage },
          }),
        ),
      );
    expect(answer({}).toolUses).toBe(1);
    expect(answer({ server_tool_use: { web_search_requests: 0 } }).toolUses).toBe(0);
  });

  test("a messages stream that breaks before its totals", () => {
    const reader = new MessagesStreamReader();
    reader.push(
      sse([
        { type: "message_start", message: { usage: { input_tokens: 1, output_tokens: 1 } } },
        { type: "content_block_start", index: 0, content_block: search },
        { type: "content_block_stop", index: 0 },
        { type: "content_block_start", index: 1, content_block: { ...search, id: "t" } },
      ]),
    );
    expect(reader.toolUses).toBe(2);
  });

  const calls = [
    { type: "web_search_call", action: { type: "search" } },
    { type: "web_search_call", action: { type: "open_page" } },
    { type: "code_interpreter_call" },
    { type: "function_call", name: "f" },
    { type: "shell_call", environment: { type: "local" } },
    { type: "shell_call", environment: { type: "container_reference", container_id: "c" } },
  ];

  test("a response", () => {
    const answer = responsesToResponses.readAnswer(
      readResponses(JSON.stringify({ model: "m", input: "x" })),
      Buffer.from(JSON.stringify({ output: calls, usage: { input_tokens: 1, output_tokens: 2 } })),
    );
    expect(answer).toMatchObject({ toolUses: 3 });
  });

  test("a native stream, item by item and once", () => {
    const reader = new NativeStreamReader();
    for (const [output_index, item] of calls.entries()) {
      const { action: _, ...begun } = item as { action?: object };
      reader.push(sse([{ type: "response.output_item.added", output_index, item: begun }]));
      if (output_index < 4) reader.push(sse([{ type: "response.output_item.done", output_index, item }]));
    }
    expect(reader.toolUses).toBe(3);
    const response = {
      output: calls.slice(0, 1),
      usage: { input_tokens: 1, output_tokens: 2, num_server_side_tools_used: 5 },
    };
    reader.push(sse([{ type: "response.completed", response }]));
    expect([reader.usage?.toolUses, reader.toolUses]).toEqual([5, 0]);
  });
});
