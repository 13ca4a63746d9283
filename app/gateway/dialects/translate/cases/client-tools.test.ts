import { describe, expect, test } from "vitest";
import type { WireName } from "../../../canonical/exchange";
import { readResponses } from "../../responses/read";
import { translatorFor } from "../../translators";
import { refuseUncalled } from "../../wire/uncalled-results";
import { aRoute, dataIn, through } from "../__fixtures__/streams";

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape, looked at by assertions only
type Json = Record<string, any>;

const parameters = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };
const fn = (name: string, more: Json = {}) => ({ type: "function", name, description: "Looks", parameters, ...more });
const namespace = (name: string, ...tools: Json[]) => ({ type: "namespace", name, description: "Docs.", tools });
const DOCS = namespace("mcp__docs", fn("search_documents"), fn("read", { defer_loading: true }));
const SEARCH = { type: "tool_search", execution: "client", description: "Finds tools", parameters };

const ask = (more: Json) => readResponses(JSON.stringify({ model: "m", input: "hi", ...more }));
const MODELS: Partial<Record<WireName, string>> = { converse: "anthropic.claude-sonnet-5", gemini: "gemini-2.5-pro" };
const sent = (wire: WireName, more: Json): Json => {
  const route = aRoute(wire as "chat", MODELS[wire] ?? "up");
  return JSON.parse(translatorFor("responses", wire)!.forward(ask(more), route) as string);
};

/** Functions per format that return the tool names of a request. */
const NAMES: [wire: WireName, namesIn: (body: Json) => string[]][] = [
  ["chat", ({ tools = [] }) => tools.map((tool: Json) => tool.function.name)],
  ["cohere", ({ tools = [] }) => tools.map((tool: Json) => tool.function.name)],
  ["messages", ({ tools = [] }) => tools.map((tool: Json) => tool.name)],
  [
    "gemini",
    ({ tools = [] }) => tools.flatMap((tool: Json) => tool.functionDeclarations).map((tool: Json) => tool.name),
  ],
  ["converse", ({ toolConfig }) => toolConfig.tools.map((tool: Json) => tool.toolSpec.name)],
];

describe.each(NAMES)("a supplier of the format %s", (wire, namesIn) => {
  test("is offered the tools of namespaces under one name each, whether or not they are loaded late", () => {
    const inference = ask({ tools: [fn("look"), DOCS, namespace("mcp__web__", fn("get"))] });
    expect(namesIn(sent(wire, { tools: [fn("look"), DOCS, namespace("mcp__web__", fn("get"))] }))).toEqual([
      ...["look", "mcp__docs__search_documents", "mcp__docs__read", "mcp__web__get"],
    ]);
    const leftOut = translatorFor("responses", wire)!.leftOut?.(inference, aRoute(wire as "chat", MODELS[wire]));
    expect(leftOut).toEqual([]);
  });

  test("gets earlier calls of them under the same names, with their results", () => {
    const input = [
      { role: "user", content: "hi" },
      {
        type: "function_call",
        call_id: "c1",
        namespace: "mcp__docs",
        name: "search_documents",
        arguments: '{"q":"x"}',
      },
      { type: "function_call_output", call_id: "c1", output: "found" },
    ];
    expect(JSON.stringify(sent(wire, { tools: [DOCS], input }))).toMatch(
      /"name":"mcp__docs__search_documents".*"found"/,
    );
  });

  test("is offered what the client's own search has found", () => {
    const input = [
      { role: "user", content: "hi" },
      { type: "tool_search_call", call_id: "s1", execution: "client", status: "completed", arguments: { q: "docs" } },
      { type: "tool_search_output", call_id: "s1", execution: "client", status: "completed", tools: [DOCS] },
    ];
    const body = sent(wire, { tools: [SEARCH], input });
    expect(namesIn(body)).toEqual(["tool_search", "mcp__docs__search_documents", "mcp__docs__read"]);
    expect(JSON.stringify(body)).toContain(
      "Tools that can be called now: mcp__docs__search_documents, mcp__docs__read",
    );
  });
});

const CALLED: [name: string, tools: Json[], called: string, given: Json, item: Json][] = [
  [
    "of a namespace",
    [DOCS],
    "mcp__docs__search_documents",
    { q: "x" },
    { type: "function_call", namespace: "mcp__docs", name: "search_documents", arguments: '{"q":"x"}' },
  ],
  [
    "that takes a text, of a namespace",
    [namespace("edit", { type: "custom", name: "patch" })],
    "edit__patch",
    { input: "*** Begin" },
    { type: "custom_tool_call", namespace: "edit", name: "patch", input: "*** Begin" },
  ],
  [
    "whose names are longer than suppliers take",
    [namespace(`mcp__${"n".repeat(50)}`, fn("t".repeat(60)))],
    "",
    { q: "x" },
    { type: "function_call", namespace: `mcp__${"n".repeat(50)}`, name: "t".repeat(60) },
  ],
  [
    "that another tool seems to be",
    [fn("a__b"), namespace("a", fn("b"))],
    "a__b_",
    { q: "x" },
    { type: "function_call", namespace: "a", name: "b" },
  ],
  [
    "that searches for tools",
    [SEARCH],
    "tool_search",
    { q: "x" },
    { type: "tool_search_call", execution: "client", arguments: { q: "x" } },
  ],
  ["without a namespace", [fn("look")], "look", { q: "x" }, { type: "function_call", name: "look" }],
];

test.each(CALLED)("a call of a tool %s comes back as the client knows it, whole and streamed", async (...given) => {
  const [, tools, called, args, item] = given;
  const way = translatorFor("responses", "chat")!;
  const inference = ask({ tools });
  const offered = JSON.parse(way.forward(inference, aRoute("chat")) as string).tools as Json[];
  const name = called === "" ? offered[0]!.function.name : called;
  expect(offered.map((tool) => tool.function.name)).toContain(name);
  expect(name.length).toBeLessThanOrEqual(64);
  const call = { id: "c1", type: "function", function: { name, arguments: JSON.stringify(args) } };
  const message = { role: "assistant", content: null, tool_calls: [call] };
  const answer = { id: "x", model: "up", choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
  const { body } = await way.readAnswer(inference, Buffer.from(JSON.stringify(answer)));
  const whole = JSON.parse(body.toString()).output;
  expect(whole).toMatchObject([{ call_id: "c1", status: "completed", ...item }]);
  expect("namespace" in whole[0]).toBe("namespace" in item);

  const delta = { tool_calls: [{ index: 0, ...call }] };
  const chunks = [
    { delta, finish_reason: null },
    { delta: {}, finish_reason: "tool_calls" },
  ].map((choice) => `data: ${JSON.stringify({ id: "x", model: "up", choices: [{ index: 0, ...choice }] })}\n\n`);
  const seen = through(way.openStream(inference), [Buffer.from(`${chunks.join("")}data: [DONE]\n\n`)]);
  expect(dataIn(seen, "response.output_item.done").map((event) => event.item)).toEqual(whole);
  expect(dataIn(seen, "response.completed")[0].response.output).toEqual(whole);
  // gw can read the items that the client sends back.
  const next = { tools, input: [{ role: "user", content: "hi" }, ...whole] };
  expect(sent("chat", next).messages[1].tool_calls).toEqual([call]);
});

describe("a choice of tools", () => {
  const choice = (tool_choice: unknown) => sent("chat", { tools: [fn("look"), DOCS], tool_choice });

  test("may name one of a namespace", () => {
    expect(choice({ type: "function", namespace: "mcp__docs", name: "read" }).tool_choice.function.name).toBe(
      "mcp__docs__read",
    );
  });

  test("may allow a namespace, or single tools of one", () => {
    const among = (...tools: Json[]) =>
      choice({ type: "allowed_tools", mode: "auto", tools }).tools.map((tool: Json) => tool.function.name);
    expect(among({ type: "namespace", name: "mcp__docs" })).toEqual(["mcp__docs__search_documents", "mcp__docs__read"]);
    expect(among({ type: "function", namespace: "mcp__docs", name: "read" })).toEqual(["mcp__docs__read"]);
    expect(among({ type: "function", name: "look" })).toEqual(["look"]);
  });

  test("does not make a custom tool a function", () => {
    const tools = [{ type: "custom", name: "patch" }];
    const call = { type: "custom_tool_call", call_id: "c", name: "patch", input: "x" };
    const body = sent("chat", { tools, tool_choice: { type: "function", name: "patch" }, input: [call] });
    expect(body.tools[0].function.parameters.required).toEqual(["input"]);
  });
});

test("what a namespace says about its tools is told once, and tools that were added later are offered", () => {
  const added = { type: "additional_tools", role: "developer", tools: [fn("late")] };
  const { tools } = sent("chat", { tools: [DOCS], input: [{ role: "user", content: "hi" }, added] });
  expect(tools.map((tool: Json) => tool.function.description)).toEqual([
    ...["Looks\n\nAbout all tools of mcp__docs: Docs.", "Looks", "Looks"],
  ]);
  expect(tools.map((tool: Json) => tool.function.name)).toContain("late");
});

test("the search of a supplier is left out and named, and its result without a call is refused", () => {
  const inference = ask({ tools: [{ type: "tool_search" }, DOCS] });
  expect(translatorFor("responses", "chat")!.leftOut?.(inference, aRoute("chat"))).toEqual(["tools.tool_search"]);
  const input = [{ type: "tool_search_output", call_id: "s", execution: "client", tools: [] }];
  expect(() => refuseUncalled(ask({ input }))).toThrow(expect.objectContaining({ code: "invalid_request" }));
});
