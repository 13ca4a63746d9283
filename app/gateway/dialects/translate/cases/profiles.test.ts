import { describe, expect, test } from "vitest";
import type { Route, SupplierKind } from "~/domain/catalogue/shared";
import { asGuarded } from "../../../__fixtures__/guarded";
import type { DialectName, WireName } from "../../../canonical/exchange";
import { chatDialect } from "../../chat";
import { completionsDialect } from "../../completions";
import { messagesDialect } from "../../messages";
import { responsesDialect } from "../../responses";
import { translatorFor } from "../../translators";
import { aRoute } from "../__fixtures__/streams";

type Json = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
type Deep = any;

const CLIENTS = {
  chat: { dialect: chatDialect, hello: { messages: [{ role: "user", content: "hi" }] } },
  completions: { dialect: completionsDialect, hello: { prompt: "hi" } },
  messages: { dialect: messagesDialect, hello: { messages: [{ role: "user", content: "hi" }], max_tokens: 20_000 } },
  responses: { dialect: responsesDialect, hello: { input: "hi" } },
};
type Client = keyof typeof CLIENTS;

/** Suppliers, recognised by their URL or kind. */
const SUPPLIERS: Record<string, { kind: SupplierKind; wire: WireName; baseUrl: string }> = {
  anthropic: { kind: "messages", wire: "messages", baseUrl: "https://api.anthropic.com/v1" },
  bedrock: { kind: "bedrock", wire: "converse", baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com" },
  gemini: { kind: "gemini", wire: "gemini", baseUrl: "https://generativelanguage.googleapis.com/v1beta" },
  compatible: { kind: "chat", wire: "chat", baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai" },
  openai: { kind: "chat", wire: "chat", baseUrl: "https://api.openai.com/v1" },
  azure: { kind: "chat", wire: "chat", baseUrl: "https://res.openai.azure.com/openai/v1" },
  xai: { kind: "chat", wire: "chat", baseUrl: "https://api.x.ai/v1" },
  deepseek: { kind: "chat", wire: "chat", baseUrl: "https://api.deepseek.com/v1" },
  moonshot: { kind: "chat", wire: "chat", baseUrl: "https://api.moonshot.ai/v1" },
  zai: { kind: "chat", wire: "chat", baseUrl: "https://api.z.ai/api/paas/v4" },
  alibaba: { kind: "chat", wire: "chat", baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1" },
  mistral: { kind: "chat", wire: "chat", baseUrl: "https://api.mistral.ai/v1" },
  groq: { kind: "chat", wire: "chat", baseUrl: "https://api.groq.com/openai/v1" },
  cerebras: { kind: "chat", wire: "chat", baseUrl: "https://api.cerebras.ai/v1" },
  openrouter: { kind: "aggregator", wire: "chat", baseUrl: "https://openrouter.ai/api/v1" },
  ollama: { kind: "chat", wire: "chat", baseUrl: "http://127.0.0.1:11434/v1" },
  vllm: { kind: "chat", wire: "chat", baseUrl: "http://127.0.0.1:8000/v1" },
};

function ask(client: Client, supplier: string, model: string, more: Json, profile?: string) {
  const { dialect, hello } = CLIENTS[client];
  const { kind, wire, baseUrl } = SUPPLIERS[supplier]!;
  const base = aRoute("chat", model);
  const route: Route = {
    ...base,
    supplier: { ...base.supplier, kind, baseUrl },
    ...(profile === undefined ? {} : { profile }),
  };
  const inference = asGuarded(dialect.read(JSON.stringify({ model: "m", ...hello, ...more })));
  const translator = translatorFor(client as DialectName, wire)!;
  const body = JSON.parse(translator.forward(inference, route) as string) as Json;
  return { body, dropped: translator.leftOut?.(inference, route) ?? [] };
}

const flat = ({ body }: { body: Json }) => {
  const more = (body.additionalModelRequestFields ?? {}) as Json;
  const config = (body.inferenceConfig ?? body.generationConfig ?? {}) as Json;
  return { ...body, ...config, ...more } as Json;
};

/** Returns the members with which a client requests an effort. */
const effort = (client: Client, level: string): Json =>
  client === "responses"
    ? { reasoning: { effort: level } }
    : client === "messages"
      ? level === "none"
        ? { thinking: { type: "disabled" } }
        : { thinking: { type: "adaptive" }, output_config: { effort: level } }
      : { reasoning_effort: level };

describe("samplers", () => {
  const clients = ["chat", "completions", "responses"] as const;
  const newer = [
    ["anthropic", "claude-sonnet-5"],
    ["anthropic", "claude-opus-4-7"],
    ["bedrock", "us.anthropic.claude-opus-4-8-v1:0"],
  ] as const;

  test.each(clients.flatMap((client) => newer.map(([supplier, model]) => [client, supplier, model] as const)))(
    "of a %s client do not reach newer Claude at %s (%s), and are named",
    (client, supplier, model) => {
      const asked = ask(client, supplier, model, { temperature: 0.2, top_p: 0.9 });
      expect(flat(asked)).not.toHaveProperty("temperature");
      expect(flat(asked)).not.toHaveProperty("top_p");
      expect(flat(asked)).not.toHaveProperty("topP");
      expect(asked.dropped).toEqual(expect.arrayContaining(["temperature", "top_p"]));
    },
  );

  test.each([
    ["anthropic", "claude-haiku-4-5"],
    ["anthropic", "claude-opus-4-1-20250805"],
    ["bedrock", "global.anthropic.claude-sonnet-4-5-20250929-v1:0"],
  ])("of a chat client: one of the two reaches Claude 4.1 to 4.6 at %s (%s)", (supplier, model) => {
    const asked = ask("chat", supplier, model, { temperature: 0.7, top_p: 0.9 });
    expect(flat(asked)).toMatchObject({ temperature: 0.7 });
    expect(asked.dropped).toEqual(["top_p"]);
    const only = ask("chat", supplier, model, { temperature: 1, top_p: 0.9 });
    expect(Object.keys(flat(only))).toEqual(expect.arrayContaining([supplier === "bedrock" ? "topP" : "top_p"]));
    expect(only.dropped).toEqual([]);
  });

  test.each([
    ["openai", "gpt-5.6", { temperature: 0, top_p: 0.9, stop_sequences: ["</block>"] }],
    ["openai", "gpt-5.4-mini", { temperature: 0, top_p: 0.9, stop_sequences: ["</block>"] }],
    ["azure", "prod-gpt-5", { temperature: 0, top_p: 0.9, stop_sequences: ["</block>"] }],
    ["openai", "o4-mini", { temperature: 0, top_p: 0.9, stop_sequences: ["</block>"] }],
  ])("of a messages client do not reach models of OpenAI that think: %s, %s", (supplier, model, tuned) => {
    const { body, dropped } = ask("messages", supplier, model, tuned);
    for (const field of ["temperature", "top_p", "stop"]) expect(body).not.toHaveProperty(field);
    expect(dropped).toEqual(["temperature", "top_p", "stop_sequences"]);
  });

  test("reach a model of OpenAI that is told not to think", () => {
    const { body } = ask("messages", "openai", "gpt-5.2", { temperature: 0.3, thinking: { type: "disabled" } });
    expect(body).toMatchObject({ temperature: 0.3, reasoning_effort: "none" });
  });

  test.each(["grok-4-0709", "grok-4.3", "grok-4.6"])("stops and penalties do not reach %s", (model) => {
    const { body, dropped } = ask("responses", "xai", model, { frequency_penalty: 0.5, temperature: 0.5 });
    expect(body).toMatchObject({ temperature: 0.5 });
    expect(body).not.toHaveProperty("frequency_penalty");
    expect(dropped).toContain("frequency_penalty");
    const stopped = ask("messages", "xai", model, { stop_sequences: ["x"] });
    expect(stopped.body).not.toHaveProperty("stop");
    expect(stopped.dropped).toEqual(["stop_sequences"]);
  });

  test("the fixed temperature of Kimi is left alone", () => {
    const { body, dropped } = ask("messages", "moonshot", "kimi-k2.6", { temperature: 0, top_p: 0.5 });
    expect(body).not.toHaveProperty("temperature");
    expect(dropped).toEqual(["temperature", "top_p"]);
  });

  test("all reach models that take them", () => {
    const { body, dropped } = ask("messages", "groq", "llama-3.3-70b-versatile", {
      temperature: 0.3,
      top_p: 0.9,
      stop_sequences: ["x"],
    });
    expect(body).toMatchObject({ temperature: 0.3, top_p: 0.9, stop: ["x"] });
    expect(dropped).toEqual([]);
  });
});

describe("how hard to think", () => {
  const adaptive = (level: string) => ({ thinking: { type: "adaptive" }, output_config: { effort: level } });
  const enabled = { thinking: { type: "enabled", budget_tokens: expect.any(Number) } };
  const CASES: readonly [supplier: string, model: string, level: string, said: Json][] = [
    ["anthropic", "claude-sonnet-5", "medium", adaptive("medium")],
    ["anthropic", "claude-opus-4-6", "xhigh", adaptive("high")],
    ["anthropic", "claude-opus-4-8", "xhigh", adaptive("xhigh")],
    ["anthropic", "claude-haiku-4-5", "medium", enabled],
    ["anthropic", "claude-opus-4-5-20251101", "medium", { ...enabled, output_config: { effort: "medium" } }],
    ["bedrock", "global.anthropic.claude-sonnet-4-5-20250929-v1:0", "high", enabled],
    ["bedrock", "us.anthropic.claude-opus-4-8-v1:0", "max", adaptive("max")],
    ["bedrock", "us.openai.gpt-5.6-sol", "xhigh", { reasoning: { effort: "xhigh" } }],
    ["bedrock", "us.openai.gpt-5.6-sol", "none", { reasoning: { effort: "none" } }],
    ["bedrock", "openai.gpt-oss-120b-1:0", "xhigh", { reasoning_effort: "high" }],
    [
      "bedrock",
      "us.amazon.nova-2-lite-v1:0",
      "low",
      { reasoningConfig: { type: "enabled", maxReasoningEffort: "low" } },
    ],
    ["openai", "gpt-5.6", "xhigh", { reasoning_effort: "xhigh" }],
    ["openai", "gpt-5.6", "max", { reasoning_effort: "max" }],
    ["openai", "gpt-5.5", "max", { reasoning_effort: "xhigh" }],
    ["openai", "gpt-5.6", "none", { reasoning_effort: "none" }],
    ["openai", "gpt-5", "xhigh", { reasoning_effort: "high" }],
    ["azure", "prod-gpt-5.6", "high", { reasoning_effort: "high" }],
    ["deepseek", "deepseek-v4-pro", "low", { thinking: { type: "enabled" }, reasoning_effort: "high" }],
    ["deepseek", "deepseek-v4-pro", "xhigh", { thinking: { type: "enabled" }, reasoning_effort: "max" }],
    ["deepseek", "deepseek-v4-flash", "none", { thinking: { type: "disabled" } }],
    ["moonshot", "kimi-k2.6", "none", { thinking: { type: "disabled" } }],
    ["zai", "glm-4.7", "none", { thinking: { type: "disabled" } }],
    ["zai", "glm-5.2", "max", { thinking: { type: "enabled" }, reasoning_effort: "max" }],
    ["alibaba", "qwen3.6-plus", "none", { enable_thinking: false }],
    ["vllm", "Qwen/Qwen3.5-27B", "none", { chat_template_kwargs: { enable_thinking: false } }],
    ["ollama", "qwen3:8b", "none", { reasoning_effort: "none" }],
    ["xai", "grok-4.3", "high", { reasoning_effort: "high" }],
    ["groq", "openai/gpt-oss-120b", "max", { reasoning_effort: "high" }],
    ["cerebras", "zai-glm-4.7", "none", { reasoning_effort: "none" }],
    ["mistral", "mistral-small-2603", "medium", { reasoning_effort: "high" }],
    ["openrouter", "z-ai/glm-4.7", "high", { reasoning: { effort: "high" } }],
    ["compatible", "gemini-3-pro-preview", "high", { reasoning_effort: "high" }],
    [
      "gemini",
      "gemini-3-flash-preview",
      "medium",
      { thinkingConfig: { includeThoughts: true, thinkingLevel: "medium" } },
    ],
  ];

  test.each(CASES.flatMap((each) => (["responses", "messages"] as const).map((client) => [client, ...each] as const)))(
    "a %s client to %s, %s, effort %s",
    (client, supplier, model, level, said) => {
      if (client === "messages" && supplier === "anthropic") return;
      const asked = ask(client, supplier, model, effort(client, level));
      expect(flat(asked)).toMatchObject(said);
      expect(asked.dropped.filter((name) => /thinking|effort/.test(name))).toEqual([]);
    },
  );

  test.each([
    ["xai", "grok-4-0709"],
    ["groq", "llama-3.3-70b-versatile"],
    ["openai", "gpt-4.1"],
    ["bedrock", "us.meta.llama4-maverick-17b-instruct-v1:0"],
  ])("is left out and named for what takes no word of it: %s, %s", (supplier, model) => {
    const asked = ask("responses", supplier, model, effort("responses", "high"));
    expect(JSON.stringify(asked.body)).not.toMatch(/thinking|reasoning|effort/);
    expect(asked.dropped).toEqual(["reasoning.effort"]);
  });

  test("the most of Nova stands beside neither a ceiling, which stays, nor samplers", () => {
    const nova = (more: Json) =>
      ask("chat", "bedrock", "us.amazon.nova-2-lite-v1:0", { reasoning_effort: "xhigh", temperature: 0.2, ...more });
    const free = nova({});
    expect(free.body).not.toHaveProperty("inferenceConfig");
    expect(flat(free).reasoningConfig).toEqual({ type: "enabled", maxReasoningEffort: "high" });
    expect(free.dropped).toEqual(["temperature"]);
    const bounded = nova({ max_tokens: 500 });
    expect(flat(bounded)).toMatchObject({ maxTokens: 500, temperature: 0.2 });
    expect(flat(bounded).reasoningConfig).toEqual({ type: "enabled", maxReasoningEffort: "medium" });
    expect(bounded.dropped).toEqual([]);
  });

  test("a budget stays below the ceiling and above the least, or is left out", () => {
    const haiku = (max_tokens: number) =>
      ask("chat", "anthropic", "claude-haiku-4-5", { reasoning_effort: "high", max_tokens }).body.thinking;
    expect(haiku(40_000)).toEqual({ type: "enabled", budget_tokens: 16_384 });
    expect(haiku(4_000)).toEqual({ type: "enabled", budget_tokens: 2_976 });
    expect(haiku(1_500)).toBeUndefined();
  });

  test.each([
    ["anthropic", "claude-sonnet-5"],
    ["bedrock", "us.anthropic.claude-opus-4-8-v1:0"],
    ["bedrock", "global.anthropic.claude-sonnet-4-5-20250929-v1:0"],
  ])("%s, %s: is nothing beside a tool that must be called, and no sampler is refused beside it", (supplier, model) => {
    const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
    const forced = flat(ask("chat", supplier, model, { reasoning_effort: "medium", tools, tool_choice: "required" }));
    expect(forced).not.toHaveProperty("thinking");
    const tuned = ask("chat", supplier, model, { reasoning_effort: "medium", temperature: 0.2, top_p: 0.5 });
    expect(flat(tuned)).not.toHaveProperty("temperature");
    expect(flat(tuned)).not.toHaveProperty("topP");
    expect(tuned.dropped).toEqual(expect.arrayContaining(["temperature", "top_p"]));
  });

  test("Claude with a budget does not think on behind calls whose thoughts are gone", () => {
    const messages = [
      { role: "user", content: "hi" },
      { role: "assistant", tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }] },
      { role: "tool", tool_call_id: "a", content: "1" },
    ];
    const { body, dropped } = ask("chat", "anthropic", "claude-haiku-4-5", { messages, reasoning_effort: "low" });
    expect(body).not.toHaveProperty("thinking");
    expect(dropped).toContain("thinking");
  });

  test("a messages client that says nothing of thinking gets none where thoughts would have to go back", () => {
    expect(ask("messages", "deepseek", "deepseek-v4-pro", {}).body).toMatchObject({ thinking: { type: "disabled" } });
    expect(ask("messages", "openai", "gpt-5.6", {}).body).not.toHaveProperty("reasoning_effort");
  });

  test("chat completions of later models are told not to think beside tools", () => {
    const tools = [{ name: "f", input_schema: { type: "object", properties: {} } }];
    const later = (model: string, more: Json) => ask("messages", "azure", model, { tools, ...more });
    expect(later("gpt-5.6", {}).body).toMatchObject({ reasoning_effort: "none" });
    expect(later("gpt-5.4", {}).body).not.toHaveProperty("reasoning_effort");
    const asked = later("gpt-5.4", { thinking: { type: "adaptive" } });
    expect(asked.body).not.toHaveProperty("reasoning_effort", "medium");
    expect(asked.dropped).toEqual(["thinking"]);
  });

  test("a profile says it for a deployment of any name", () => {
    const { body } = ask("messages", "azure", "blue", effort("messages", "high"), "openai/gpt-5.6");
    expect(body).toMatchObject({ reasoning_effort: "high", max_completion_tokens: 20_000 });
  });
});

describe("schemas", () => {
  const schema = {
    type: "object",
    properties: {
      score: { type: "integer", minimum: 1, maximum: 10, description: "How good" },
      minimum: { type: "array", items: { type: "string", maxLength: 5, format: "color" }, minItems: 3 },
      any: { type: "object", additionalProperties: { type: "string" } },
    },
    required: ["score"],
  };
  const format = { response_format: { type: "json_schema", json_schema: { name: "out", strict: true, schema } } };
  const FITTED = {
    type: "object",
    properties: {
      score: { type: "integer", description: "How good\n\n{minimum: 1, maximum: 10}" },
      minimum: {
        type: "array",
        items: { type: "string", description: '{maxLength: 5, format: "color"}' },
        description: "{minItems: 3}",
      },
      any: {
        type: "object",
        description: '{additionalProperties: {"type":"string"}}',
        additionalProperties: false,
      },
    },
    required: ["score"],
    additionalProperties: false,
  };

  test("of an answer: what Claude refuses stands in the description", () => {
    const direct = ask("chat", "anthropic", "claude-sonnet-5", format).body;
    expect(direct.output_config).toEqual({ format: { type: "json_schema", schema: FITTED } });
    const bedrock = ask("chat", "bedrock", "us.anthropic.claude-opus-4-5-20251101-v1:0", format).body as Deep;
    expect(JSON.parse(bedrock.outputConfig.textFormat.structure.jsonSchema.schema)).toEqual(FITTED);
  });

  test("of an answer: others get it as it is", () => {
    const { generationConfig } = ask("chat", "gemini", "gemini-3-pro-preview", format).body as Deep;
    expect(generationConfig.responseJsonSchema).toEqual(schema);
  });

  test("of an answer: strict where OpenAI can be, which requires every property", () => {
    const asked = (schema: object) =>
      ask("messages", "openai", "gpt-4.1", { output_config: { format: { type: "json_schema", schema } } }).body as Deep;
    const all = { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false };
    expect(asked(all).response_format.json_schema.strict).toBe(true);
    expect(asked({ ...all, required: [] }).response_format.json_schema.strict).toBe(false);
  });

  test.each([
    ["messages", "openai", { tools: [{ name: "list", input_schema: { type: "object" } }] }],
    ["responses", "azure", { tools: [{ type: "function", name: "list", parameters: { type: "object" } }] }],
  ] as const)("of a tool without parameters: a %s client to %s", (client, supplier, more) => {
    const { body } = ask(client, supplier, "gpt-4.1", more) as Deep;
    expect(body.tools[0].function.parameters).toEqual({ type: "object", properties: {} });
  });

  test("of a tool: a client's own bytes get none where no table knows the model", () => {
    const tools = [{ type: "function", function: { name: "list", parameters: { type: "object" } } }];
    expect(ask("chat", "vllm", "some-model", { tools }).body.tools).toEqual(tools);
  });
});
