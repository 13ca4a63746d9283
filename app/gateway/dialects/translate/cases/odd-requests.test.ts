import { describe, expect, test } from "vitest";
import { type ClientName, type Json, type SupplierName, sent, sentText } from "../__fixtures__/sent";

type To = readonly [SupplierName, model: string];
const CLAUDE: To = ["anthropic", "claude-sonnet-5"];
const OLDER_CLAUDE: To = ["anthropic", "claude-3-5-haiku-20241022"];
const OPENAI: To = ["openai", "gpt-4.1"];
const DEEPSEEK: To = ["deepseek", "deepseek-v4-pro"];
const MISTRAL: To = ["mistral", "mistral-large-latest"];
const KIMI: To = ["moonshot", "kimi-k2.6"];

const user = (content: unknown, more: Json = {}) => ({ role: "user", content, ...more });
const fn = (name: string, parameters: unknown, more: Json = {}) => ({
  type: "function",
  function: { name, parameters, ...more },
});
const MARK = { cache_control: { type: "ephemeral" } };
const TEXT = { type: "string" };

describe("a chat client's own bytes reach a supplier of the same format without what it is known to refuse", () => {
  const developer = { messages: [{ role: "developer", content: "Be brief." }, user("hi")] };

  test.each<[to: To, role: string]>([
    [DEEPSEEK, "system"],
    [MISTRAL, "system"],
    [KIMI, "system"],
    [["groq", "llama-3.3-70b-versatile"], "system"],
    [["cerebras", "gpt-oss-120b"], "system"],
    [["zai", "glm-4.7"], "system"],
    [["xai", "grok-4.3"], "system"],
    [["compatible", "gemini-2.5-pro"], "system"],
    [["vllm", "Qwen/Qwen3.5-27B"], "system"],
    [OPENAI, "developer"],
    [["vllm", "some-model"], "developer"],
  ])("%j is told what the developer says as the %s", (to, role) => {
    expect(sent("chat", to, developer).body.messages[0]).toEqual({ role, content: "Be brief." });
  });

  test.each<[to: To, body: Json, sends: Json, drops: readonly string[]]>([
    [["compatible", "gemini-2.5-pro"], { store: false, metadata: { a: "b" }, prompt_cache_key: "k" }, {}, []],
    [["compatible", "gemini-2.5-pro"], { store: true, verbosity: "low" }, {}, ["store", "verbosity"]],
    [
      MISTRAL,
      { store: false, service_tier: "auto", safety_identifier: "u", metadata: { a: "b" } },
      { metadata: { a: "b" } },
      [],
    ],
    [
      ["cerebras", "llama-3.3-70b"],
      { metadata: { a: "b" }, store: null, service_tier: "auto" },
      { service_tier: "auto" },
      [],
    ],
    [OPENAI, { store: true, metadata: { a: "b" } }, { store: true, metadata: { a: "b" } }, []],
    [OPENAI, { tools: [], tool_choice: "auto", parallel_tool_calls: false }, {}, []],
    [OPENAI, { parallel_tool_calls: true }, {}, []],
    [OPENAI, { tools: [], tool_choice: "required" }, { tool_choice: "required" }, []],
    [["vllm", "some-model"], { tools: [] }, { tools: [] }, []],
  ])("%j, of %j", (to, body, sends, drops) => {
    const { body: given, dropped } = sent("chat", to, body);
    const { model: _model, messages: _messages, ...rest } = given;
    expect(rest).toEqual(sends);
    expect(dropped).toEqual(drops);
  });

  test("names of speakers do not reach Mistral, and are named", () => {
    const messages = [user("hi", { name: "alice" }), { role: "assistant", content: "x", name: "bot" }, user("and?")];
    const { body, dropped } = sent("chat", MISTRAL, { messages });
    expect(body.messages).toEqual([user("hi"), { role: "assistant", content: "x" }, user("and?")]);
    expect(dropped).toEqual(["messages.name"]);
    expect(sent("chat", OPENAI, { messages }).body.messages).toEqual(messages);
  });

  const MARKED = {
    messages: [
      {
        role: "system",
        content: [
          { type: "text", text: "a", ...MARK },
          { type: "text", text: "b" },
        ],
      },
      user("hi", MARK),
    ],
    tools: [{ ...fn("f", { type: "object", properties: {} }), ...MARK }],
  };
  test.each<[to: To, system: unknown]>([
    [
      OPENAI,
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    ],
    [
      ["fireworks", "accounts/fireworks/models/glm-5"],
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    ],
    [DEEPSEEK, "a\n\nb"],
    [["groq", "llama-3.3-70b-versatile"], "a\n\nb"],
    [KIMI, "a\n\nb"],
  ])("%j gets no marks for the cache, and texts in the form that it takes", (to, system) => {
    const { body } = sent("chat", to, MARKED);
    expect(JSON.stringify(body)).not.toContain("cache_control");
    expect(body.messages).toEqual([{ role: "system", content: system }, user("hi")]);
  });

  test("what no table knows gets its marks", () => {
    expect(sent("chat", ["vllm", "some-model"], MARKED).body).toEqual({ model: "some-model", ...MARKED });
  });

  test("an empty answer from earlier does not reach Kimi, which refuses it", () => {
    const empty = { role: "assistant", content: "" };
    const messages = [user("hi"), empty, user("hello?"), { ...empty, content: null, tool_calls: [] }, user("?")];
    expect(sent("chat", KIMI, { messages }).body.messages).toEqual([user("hi"), user("hello?"), user("?")]);
    expect(sent("chat", OPENAI, { messages }).body.messages).toHaveLength(5);
  });

  test("Cerebras gets tools that are all strict or none", () => {
    const tools = [
      fn("a", { type: "object", properties: {} }, { strict: true }),
      fn("b", { type: "object", properties: {} }),
    ];
    const strictness = (body: Json) => body.tools.map((tool: Json) => tool.function.strict);
    expect(strictness(sent("chat", ["cerebras", "llama-3.3-70b"], { tools }).body)).toEqual([undefined, undefined]);
    expect(strictness(sent("chat", ["cerebras", "llama-3.3-70b"], { tools: tools.slice(0, 1) }).body)).toEqual([true]);
  });

  test.each<[to: To, asked: Json, said: Json]>([
    [["openai", "gpt-5.2"], { reasoning: { effort: "high" } }, { reasoning_effort: "high" }],
    [["openai", "gpt-5.2"], { reasoning: { enabled: false } }, { reasoning_effort: "none" }],
    [["openai", "gpt-5.2"], { reasoning: { max_tokens: 2_000 } }, { reasoning_effort: "low" }],
    [DEEPSEEK, { enable_thinking: false }, { thinking: { type: "disabled" } }],
    [["zai", "glm-4.7"], { reasoning: { effort: "none" } }, { thinking: { type: "disabled" } }],
    [["vllm", "Qwen/Qwen3.5-27B"], { enable_thinking: false }, { chat_template_kwargs: { enable_thinking: false } }],
    [["vllm", "some-model"], { enable_thinking: false }, { enable_thinking: false }],
  ])("%j is asked to think in its own words: %j", (to, asked, said) => {
    const { model: _model, messages: _messages, ...rest } = sent("chat", to, asked).body;
    expect(rest).toEqual(said);
  });
});

describe("a tool's schema that a vendor refuses", () => {
  const CHOICE = {
    type: "object",
    anyOf: [{ properties: { a: TEXT }, required: ["a"] }, { properties: { b: { type: "array" } } }],
  };
  const schemaIn: Record<string, (body: Json) => Json> = {
    anthropic: ({ tools }) => tools[0].input_schema,
    bedrock: ({ toolConfig }) => toolConfig.tools[0].toolSpec.inputSchema.json,
    gemini: ({ tools }) => tools[0].functionDeclarations[0].parametersJsonSchema,
    openaiResponses: ({ tools }) => tools[0].parameters,
  };
  const of = (to: To, body: Json) => (schemaIn[to[0]] ?? (({ tools }: Json) => tools[0].function.parameters))(body);
  const tools: Record<ClientName, unknown> = {
    chat: [fn("f", CHOICE)],
    messages: [{ name: "f", input_schema: CHOICE }],
    responses: [{ type: "function", name: "f", parameters: CHOICE, strict: false }],
  };

  const TO: readonly To[] = [
    ...[CLAUDE, OPENAI, DEEPSEEK, MISTRAL],
    ["bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"],
    ["gemini", "gemini-2.5-pro"],
    ["cohere", "command-a-03-2025"],
    ["azure", "prod-main"],
    ["vllm", "Qwen/Qwen3.5-27B"],
  ];
  const CLIENTS = ["chat", "messages", "responses"] as const;
  const translated = CLIENTS.flatMap((client) => TO.map((to) => [client, to] as const));
  // The bytes of a chat client pass through to vllm untranslated.
  const cells = translated.filter(([client, [supplier]]) => client !== "chat" || supplier !== "vllm");
  test.each(cells)("of a %s client is an object with its properties for %j", (client, to) => {
    const schema = of(to, sent(client, to, { tools: tools[client] }).body);
    expect(schema).toMatchObject({ type: "object", properties: { a: TEXT, b: { type: "array", items: {} } } });
    expect(schema).not.toHaveProperty("anyOf");
  });

  test("stays what it is where no table knows the model and the client's own bytes pass", () => {
    expect(sent("chat", ["vllm", "some-model"], { tools: tools.chat }).body.tools).toEqual(tools.chat);
  });

  test("says its types for Kimi, each choice its own, and nothing of a tuple's further items", () => {
    const properties = {
      mode: { enum: ["a", "b"] },
      count: { const: 3 },
      anything: { description: "x" },
      either: { type: "string", anyOf: [{ enum: ["x"] }, { type: "null" }] },
      pair: { type: "array", items: [TEXT, {}] },
      list: { type: "array" },
    };
    for (const client of CLIENTS) {
      const schema = { type: "object", properties };
      const declared = {
        chat: [fn("f", schema)],
        messages: [{ name: "f", input_schema: schema }],
        responses: [{ type: "function", name: "f", parameters: schema }],
      };
      const { body } = sent(client, KIMI, { tools: declared[client] });
      expect(body.tools[0].function.parameters.properties).toEqual({
        mode: { type: "string", enum: ["a", "b"] },
        count: { type: "integer", const: 3 },
        anything: { type: "string", description: "x" },
        either: { anyOf: [{ enum: ["x"], type: "string" }, { type: "null" }] },
        pair: { type: "array", prefixItems: [TEXT, {}] },
        list: { type: "array", items: { type: "string" } },
      });
    }
  });

  test.each<[client: ClientName, to: To, tool: string]>([
    ["chat", OPENAI, '{"type":"function","function":{"name":"f","parameters":SCHEMA}}'],
    ["messages", CLAUDE, '{"name":"f","input_schema":SCHEMA}'],
    ["messages", OPENAI, '{"name":"f","input_schema":SCHEMA}'],
  ])("keeps numbers to the last digit where it is written anew: %s, %j", (client, to, tool) => {
    const most = '"maximum":9223372036854775807';
    const schema = `{"properties":{"id":{"type":"integer",${most}}},"required":null}`;
    const text = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],"tools":[${tool.replace("SCHEMA", schema)}]}`;
    const { body } = sentText(client, to, text);
    expect(body).toContain(most);
    expect(body).not.toContain('"required"');
  });
});

describe("the form of an answer that a model does not take is told in words, and named", () => {
  const SCHEMA = {
    type: "object",
    properties: { score: { type: "integer" } },
    required: ["score"],
    additionalProperties: false,
  };
  const asked: Record<ClientName, Json> = {
    chat: { response_format: { type: "json_schema", json_schema: { name: "out", strict: true, schema: SCHEMA } } },
    messages: { output_config: { format: { type: "json_schema", schema: SCHEMA } } },
    responses: { text: { format: { type: "json_schema", name: "out", strict: true, schema: SCHEMA } } },
  };
  const names = { chat: "response_format", messages: "output_config.format", responses: "text.format" };
  const tools: Record<ClientName, unknown> = {
    chat: [fn("f", { type: "object" })],
    messages: [{ name: "f", input_schema: { type: "object" } }],
    responses: [{ type: "function", name: "f", parameters: { type: "object" } }],
  };
  const formIn = (body: Json) =>
    body.response_format ?? body.output_config?.format ?? body.outputConfig ?? body.generationConfig?.responseMimeType;

  test.each<[client: ClientName, to: To, isBesideTools: boolean, form: unknown]>([
    ["messages", DEEPSEEK, false, { type: "json_object" }],
    ["responses", DEEPSEEK, false, { type: "json_object" }],
    ["responses", ["zai", "glm-4.7"], false, { type: "json_object" }],
    ["messages", ["groq", "llama-3.3-70b-versatile"], false, { type: "json_object" }],
    ["messages", ["groq", "openai/gpt-oss-120b"], true, undefined],
    ["messages", ["cerebras", "gpt-oss-120b"], true, undefined],
    ["chat", OLDER_CLAUDE, false, undefined],
    ["responses", ["anthropic", "claude-sonnet-4-20250514"], false, undefined],
    ["chat", ["bedrock", "us.anthropic.claude-opus-4-8-v1:0"], false, undefined],
    ["messages", ["bedrock", "us.amazon.nova-2-lite-v1:0"], false, undefined],
    ["chat", ["gemini", "gemini-2.5-flash"], true, undefined],
    ["responses", ["compatible", "gemini-2.5-pro"], true, undefined],
    ["messages", ["xai", "grok-3"], true, undefined],
    ["chat", ["cohere", "command-a-03-2025"], true, undefined],
  ])("a %s client to %j, beside tools: %s", (client, to, isBesideTools, form) => {
    const more = isBesideTools ? { tools: tools[client] } : {};
    const { body, dropped } = sent(client, to, { ...asked[client], ...more });
    expect(formIn(body)).toEqual(form);
    expect(JSON.stringify(body)).toMatch(/JSON schema:.*score/);
    expect(dropped).toContain(names[client]);
  });

  test.each<[client: ClientName, to: To, isBesideTools: boolean]>([
    ["chat", ["anthropic", "claude-opus-4-1-20250805"], false],
    ["responses", ["bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"], false],
    ["messages", ["groq", "openai/gpt-oss-120b"], false],
    ["chat", ["gemini", "gemini-3-pro-preview"], true],
    ["messages", ["xai", "grok-4.3"], true],
    ["messages", OPENAI, true],
  ])("and what it takes is not: %s, %j, beside tools: %s", (client, to, isBesideTools) => {
    const { body, dropped } = sent(client, to, {
      ...asked[client],
      ...(isBesideTools ? { tools: tools[client] } : {}),
    });
    expect(JSON.stringify(formIn(body) ?? body)).not.toContain("It follows this JSON schema");
    expect(JSON.stringify(body)).toContain("score");
    expect(dropped).toEqual([]);
  });

  test("JSON without a schema is told where there is no word for it", () => {
    const { body } = sent("chat", ["gemini", "gemini-2.5-flash"], {
      response_format: { type: "json_object" },
      tools: tools.chat,
    });
    expect(body.systemInstruction.parts[0].text).toMatch(/^Answer with one JSON object/);
    expect(body.generationConfig?.responseMimeType).toBeUndefined();
  });

  test("strict tools are told as ordinary ones where the model has none", () => {
    const strict = [fn("f", { type: "object", properties: {} }, { strict: true })];
    expect(sent("chat", OLDER_CLAUDE, { tools: strict }).body.tools[0]).not.toHaveProperty("strict");
    expect(sent("chat", CLAUDE, { tools: strict }).body.tools[0]).toMatchObject({ strict: true });
  });
});
