import { describe, expect, test } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import { chatDialect } from "../chat";
import { messagesDialect } from "../messages";
import { responsesDialect } from "../responses";
import { aRoute } from "../translate/__fixtures__/streams";
import { translatorFor } from "../translators";
import { fitChatBody, fitMessagesBody, fitResponsesBody } from "./fit-body";
import { sealThought } from "./thoughts/sealed-thoughts";

const at = (model: string, more: Partial<Route["supplier"]> = {}): Route => {
  const route = aRoute("chat", model);
  return { ...route, supplier: { ...route.supplier, baseUrl: "https://api.openai.com/v1", ...more } };
};
const tool = (parameters: object) => ({ type: "function", function: { name: "f", parameters } });

describe("a chat body that goes on as it is", () => {
  test("keeps everything for a model that no table knows", () => {
    const body = { temperature: 0, top_k: 4, verbosity: "low", reasoning_effort: "ultra", max_tokens: 5, stop: ["x"] };
    expect(fitChatBody(body, at("llama", { baseUrl: "http://127.0.0.1:8000/v1" }))).toEqual({ edits: {}, leftOut: [] });
  });

  test("keeps everything for another gateway, which knows itself", () => {
    expect(fitChatBody({ temperature: 0, max_tokens: 5 }, at("gpt-5.6", { kind: "gateway" })).edits).toEqual({});
  });

  test("loses what the model is known to refuse, and what asked for nothing without a word", () => {
    const body = {
      temperature: 0.2,
      top_p: 1,
      stop: ["x"],
      presence_penalty: 0,
      frequency_penalty: 1,
      logprobs: true,
      top_logprobs: 2,
    };
    expect(fitChatBody(body, at("gpt-5.6"))).toEqual({
      edits: {
        temperature: null,
        stop: null,
        frequency_penalty: null,
        presence_penalty: null,
        logprobs: null,
        top_logprobs: null,
      },
      leftOut: ["temperature", "stop", "frequency_penalty", "logprobs"],
    });
  });

  test("keeps samplers of a model that does not think unless told to, and of one that is told not to", () => {
    expect(fitChatBody({ temperature: 0.2 }, at("gpt-5.2")).edits).toEqual({});
    expect(fitChatBody({ temperature: 0.2, reasoning_effort: "none" }, at("gpt-5.6")).edits).toEqual({});
    expect(fitChatBody({ temperature: 0.2, reasoning_effort: "low" }, at("gpt-5.2")).edits).toEqual({
      temperature: null,
    });
  });

  test("states its ceiling where the model takes it", () => {
    const edits = { max_tokens: null, max_completion_tokens: "100" };
    expect(fitChatBody({ max_tokens: 100 }, at("prod-gpt-5.6")).edits).toEqual(edits);
    expect(fitChatBody({ max_tokens: 100 }, at("blue", { outputField: "max_completion_tokens" })).edits).toEqual(edits);
    expect(
      fitChatBody({ max_completion_tokens: 7 }, at("mistral-large-latest", { name: "mistral", baseUrl: "http://x/v1" }))
        .edits,
    ).toEqual({
      max_completion_tokens: null,
      max_tokens: "7",
    });
    expect(fitChatBody({ max_tokens: 1, max_completion_tokens: 2 }, at("gpt-5.6")).edits).toEqual({});
  });

  test.each([
    ["gpt-5.6", "max", undefined, []],
    ["gpt-5.5", "max", '"xhigh"', []],
    ["gpt-5", "none", null, ["reasoning_effort"]],
    ["gpt-4.1", "high", null, ["reasoning_effort"]],
    ["gpt-5.1", "medium", undefined, []],
    ["gpt-5.1", "ultra", undefined, []],
  ] as const)("%s with the effort %s", (model, reasoning_effort, edit, leftOut) => {
    const fit = fitChatBody({ reasoning_effort }, at(model));
    expect(fit.edits.reasoning_effort).toBe(edit);
    expect(fit.leftOut).toEqual(leftOut);
  });

  test("is told not to think beside tools, where chat completions refuse the two together", () => {
    const tools = [tool({ type: "object", properties: {} })];
    expect(fitChatBody({ tools }, at("gpt-5.6"))).toEqual({ edits: { reasoning_effort: '"none"' }, leftOut: [] });
    expect(fitChatBody({ tools }, at("gpt-5.4")).edits).toEqual({});
    const asked = fitChatBody({ tools, reasoning_effort: "high" }, at("gpt-5.4"));
    expect(asked).toEqual({ edits: { reasoning_effort: '"none"' }, leftOut: ["reasoning_effort"] });
  });

  test("gets an effort that a server with a template has, and keeps words that no table knows", () => {
    const qwen = at("Qwen/Qwen3.5-32B", { baseUrl: "http://127.0.0.1:8000/v1" });
    expect(fitChatBody({ reasoning_effort: "xhigh" }, qwen).edits).toEqual({ reasoning_effort: '"high"' });
    for (const reasoning_effort of ["none", "low", "ultra"])
      expect(fitChatBody({ reasoning_effort }, qwen).edits).toEqual({});
  });

  test("gets the properties of a tool that has none, and every other tool stays", () => {
    const other = tool({ type: "object", properties: { a: {} } });
    const { edits } = fitChatBody({ tools: [tool({ type: "object" }), other] }, at("gpt-4.1"));
    expect(JSON.parse(edits.tools as string)).toEqual([tool({ type: "object", properties: {} }), other]);
    expect(fitChatBody({ tools: [other] }, at("gpt-4.1")).edits).toEqual({});
  });
});

describe("a body of the responses format that goes on as it is", () => {
  test("loses samplers, gets an effort that exists and tools with properties", () => {
    const tools = [{ type: "function", name: "f", parameters: { type: "object" } }, { type: "web_search" }];
    const { edits, leftOut } = fitResponsesBody(
      { temperature: 0.1, reasoning: { effort: "max", summary: "auto" }, tools },
      at("gpt-5.5"),
    );
    expect(edits).toMatchObject({ temperature: null, reasoning: '{"summary":"auto","effort":"xhigh"}' });
    expect(JSON.parse(edits.tools as string)[0].parameters).toEqual({ type: "object", properties: {} });
    expect(leftOut).toEqual(["temperature"]);
  });
});

describe("a messages body that goes on as it is", () => {
  const claude = (model: string) => at(model, { kind: "messages", baseUrl: "https://api.anthropic.com/v1" });

  test("loses samplers that newer models refuse, and one of two where one is taken", () => {
    expect(fitMessagesBody({ temperature: 0.2, top_k: 3 }, claude("claude-opus-4-8")).leftOut).toEqual([
      "temperature",
      "top_k",
    ]);
    expect(fitMessagesBody({ temperature: 0.2, top_p: 0.9 }, claude("claude-haiku-4-5"))).toEqual({
      edits: { top_p: null },
      leftOut: ["top_p"],
    });
    expect(fitMessagesBody({ temperature: 0.2, top_p: 0.9 }, claude("claude-sonnet-4-20250514")).edits).toEqual({});
  });

  test("has thinking in the form that the model knows", () => {
    const adaptive = { thinking: { type: "adaptive" }, output_config: { effort: "xhigh" }, max_tokens: 64_000 };
    expect(fitMessagesBody(adaptive, claude("claude-haiku-4-5")).edits).toEqual({
      output_config: null,
      thinking: '{"type":"enabled","budget_tokens":24576}',
    });
    expect(fitMessagesBody(adaptive, claude("claude-sonnet-4-6")).edits).toEqual({
      output_config: '{"effort":"high"}',
    });
    expect(fitMessagesBody(adaptive, claude("claude-opus-4-8")).edits).toEqual({});
    const enabled = { thinking: { type: "enabled", budget_tokens: 2_000 } };
    expect(fitMessagesBody(enabled, claude("claude-opus-4-8")).edits).toEqual({
      thinking: '{"type":"adaptive","display":"summarized"}',
    });
    expect(fitMessagesBody(enabled, claude("claude-opus-4-6")).edits).toEqual({});
    expect(fitMessagesBody(adaptive, claude("a-name-of-its-own")).edits).toEqual({});
  });

  test("loses the samplers that the model refuses beside a budget, where it asked for another form", () => {
    const body = { thinking: { type: "adaptive" }, max_tokens: 9_000, temperature: 0.2, top_k: 4 };
    const budget = '{"type":"enabled","budget_tokens":7976}';
    expect(fitMessagesBody(body, claude("claude-haiku-4-5"))).toEqual({
      edits: { thinking: budget, temperature: null, top_k: null },
      leftOut: ["temperature", "top_k"],
    });
    const taken = { ...body, temperature: 1, top_k: undefined };
    expect(fitMessagesBody(taken, claude("claude-haiku-4-5")).leftOut).toEqual([]);
    expect(fitMessagesBody({ ...body, top_p: 0.5, temperature: undefined }, claude("claude-opus-4-1")).leftOut).toEqual(
      ["top_p", "top_k"],
    );
  });

  test("does not think on behind calls whose thoughts are gone", () => {
    const messages = [{ role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] }];
    const body = { thinking: { type: "adaptive" }, max_tokens: 9_000, messages };
    expect(fitMessagesBody(body, claude("claude-haiku-4-5"))).toEqual({
      edits: { thinking: null },
      leftOut: ["thinking"],
    });
  });

  const call = { type: "tool_use", id: "a", name: "f", input: {} };
  const adaptive = { type: "adaptive" };
  const enabled = { type: "enabled", budget_tokens: 2_000 };
  const own = { type: "thinking", thinking: "Hm.", signature: "Q0xB" };
  const foreign = { type: "thinking", thinking: "Hm.", signature: "gw:reasoning_content" };
  const hidden = { type: "redacted_thinking", data: sealThought("Hm.", "gw:gemini:R0VN") };
  const text = { type: "text", text: "So:" };
  const goesOn = (model: string, thinking: object, content: object[]) =>
    fitMessagesBody({ thinking, max_tokens: 9_000, messages: [{ role: "assistant", content }] }, claude(model)).leftOut;

  test.each([
    ["no thought", [call]],
    ["a thought of another supplier", [foreign, call]],
    ["a hidden thought of another supplier", [hidden, call]],
    ["a thought behind a text", [text, own, call]],
  ])("does not think on with a budget, its client's own or gw's, behind calls with %s", (_name, content) => {
    for (const thinking of [adaptive, enabled])
      expect(goesOn("claude-haiku-4-5", thinking, content)).toEqual(["thinking"]);
    expect(goesOn("claude-sonnet-4-6", enabled, content)).toEqual(["thinking"]);
    expect(goesOn("claude-sonnet-4-6", adaptive, content)).toEqual([]);
  });

  test("thinks on behind calls with their thoughts, and behind a text", () => {
    const sealed = { type: "redacted_thinking", data: "UkVE" };
    for (const content of [[own, call], [sealed, call], [foreign, own, call], [text], [foreign, text]])
      for (const thinking of [adaptive, enabled]) expect(goesOn("claude-haiku-4-5", thinking, content)).toEqual([]);
  });
});

describe("what a body loses is found once for an attempt", () => {
  const bodies = { messages: [{ role: "user", content: "Hi" }], input: "Hi", max_tokens: 9, temperature: 0.5 };
  test.each([
    ["chat", chatDialect],
    ["messages", messagesDialect],
    ["responses", responsesDialect],
  ] as const)("and both its body and its list go by that: %s", (name, dialect) => {
    const { [name === "responses" ? "messages" : "input"]: _other, ...body } = bodies;
    const { max_tokens: _most, ...rest } = body;
    const inference = dialect.read(JSON.stringify({ model: "m", ...(name === "responses" ? rest : body) }));
    const route = at("llama", name === "messages" ? { kind: "messages" } : {});
    const translator = translatorFor(name, name)!;
    expect(translator.fit!(inference, route)).toEqual({ edits: {}, leftOut: [] });
    const fit = { edits: { temperature: null }, leftOut: ["temperature"] };
    expect(translator.forward(inference, route)).toContain("temperature");
    expect(translator.forward(inference, route, fit)).not.toContain("temperature");
    expect(translator.leftOut!(inference, route)).toEqual([]);
    expect(translator.leftOut!(inference, route, fit)).toEqual(["temperature"]);
  });
});
