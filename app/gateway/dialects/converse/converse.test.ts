import { describe, expect, test } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import { AppError } from "~/errors/app-error";
import { chatDialect } from "../chat";
import { messagesDialect } from "../messages";
import { responsesDialect } from "../responses";
import { translatorFor } from "../translators";

const CLAUDE = "global.anthropic.claude-sonnet-4-5-20250929-v1:0";
const route = (upstreamModel: string) =>
  ({ upstreamModel, supplier: { kind: "bedrock" }, model: { maxOutputTokens: 500 } }) as Route;
const DIALECTS = { chat: chatDialect, messages: messagesDialect, responses: responsesDialect };
type Client = keyof typeof DIALECTS;

function asked(client: Client, body: object, model = CLAUDE) {
  const inference = DIALECTS[client].read(JSON.stringify({ model: "m", ...body }));
  const translator = translatorFor(client, "converse")!;
  return { inference, translator, model };
}
const written = (client: Client, body: object, model = CLAUDE) => {
  const { inference, translator } = asked(client, body, model);
  return JSON.parse(translator.forward(inference, route(model)) as string);
};
const leftOut = (client: Client, body: object, model = CLAUDE) => {
  const { inference, translator } = asked(client, body, model);
  return translator.leftOut!(inference, route(model));
};

const WEATHER = { type: "object", properties: { city: { type: "string" } } };
const PNG = "data:image/png;base64,iVBORw0KGgo=";
const HELLO = [{ role: "user", content: "Hello" }];

describe("a request as Converse has it", () => {
  test("of a chat client, with everything in it", () => {
    const body = written("chat", {
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: PNG } },
          ],
        },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } }],
        },
        { role: "tool", tool_call_id: "call_1", content: "sunny" },
      ],
      tools: [{ type: "function", function: { name: "weather", description: "Tells it.", parameters: WEATHER } }],
      tool_choice: { type: "function", function: { name: "weather" } },
      max_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      stop: ["END"],
      user: "ann@example.com",
    });
    expect(body).toEqual({
      system: [{ text: "Be brief." }],
      messages: [
        {
          role: "user",
          content: [{ text: "What is this?" }, { image: { format: "png", source: { bytes: "iVBORw0KGgo=" } } }],
        },
        {
          role: "assistant",
          content: [{ toolUse: { toolUseId: "call_1", name: "weather", input: { city: "Rome" } } }],
        },
        { role: "user", content: [{ toolResult: { toolUseId: "call_1", content: [{ text: "sunny" }] } }] },
      ],
      inferenceConfig: { maxTokens: 100, temperature: 0.5, stopSequences: ["END"] },
      toolConfig: {
        tools: [{ toolSpec: { name: "weather", description: "Tells it.", inputSchema: { json: WEATHER } } }],
        toolChoice: { tool: { name: "weather" } },
      },
      requestMetadata: { user: "ann@example.com" },
    });
  });

  test("of a messages client: thoughts, documents, points of the cache, errors of tools", () => {
    const body = written("messages", {
      max_tokens: 2_000,
      top_k: 5,
      thinking: { type: "enabled", budget_tokens: 1_024 },
      system: [{ type: "text", text: "Long rules", cache_control: { type: "ephemeral", ttl: "1h" } }],
      messages: [
        {
          role: "user",
          content: [
            {
              type: "document",
              source: { type: "text", media_type: "text/plain", data: "all of it" },
              title: "A/B: x",
            },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm.", signature: "c2ln" },
            { type: "tool_use", id: "toolu_1", name: "weather", input: {} },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", is_error: true, content: "broken" }] },
      ],
      tools: [{ name: "weather", input_schema: WEATHER, cache_control: { type: "ephemeral" } }],
    });
    expect(body).toEqual({
      system: [{ text: "Long rules" }, { cachePoint: { type: "default", ttl: "1h" } }],
      messages: [
        {
          role: "user",
          content: [
            {
              document: {
                format: "txt",
                name: "A-B- x",
                source: { bytes: Buffer.from("all of it").toString("base64") },
              },
            },
            { text: "(See the document.)" },
          ],
        },
        {
          role: "assistant",
          content: [
            { reasoningContent: { reasoningText: { text: "Hm.", signature: "c2ln" } } },
            { toolUse: { toolUseId: "toolu_1", name: "weather", input: {} } },
          ],
        },
        {
          role: "user",
          content: [{ toolResult: { toolUseId: "toolu_1", content: [{ text: "broken" }], status: "error" } }],
        },
      ],
      inferenceConfig: { maxTokens: 2_000 },
      toolConfig: {
        tools: [{ toolSpec: { name: "weather", inputSchema: { json: WEATHER } } }, { cachePoint: { type: "default" } }],
      },
      additionalModelRequestFields: { thinking: { type: "enabled", budget_tokens: 1_024 } },
    });
  });

  test("of a responses client, with an answer by a schema", () => {
    const body = written("responses", {
      input: "Hello",
      instructions: "Be brief.",
      reasoning: { effort: "high" },
      text: { format: { type: "json_schema", name: "out", schema: WEATHER, strict: true } },
    });
    expect(body).toEqual({
      system: [{ text: "Be brief." }],
      messages: [{ role: "user", content: [{ text: "Hello" }] }],
      additionalModelRequestFields: {
        thinking: { type: "enabled", budget_tokens: 16_384 },
      },
      outputConfig: {
        textFormat: {
          type: "json_schema",
          structure: {
            jsonSchema: { name: "out", schema: JSON.stringify({ ...WEATHER, additionalProperties: false }) },
          },
        },
      },
    });
  });

  test("names what tunes and is left out, by the model's own abilities", () => {
    const tuned = { messages: HELLO, max_tokens: 9, top_k: 3, thinking: { type: "enabled", budget_tokens: 1_024 } };
    expect(leftOut("messages", tuned)).toEqual(["top_k"]);
    expect(leftOut("messages", tuned, "amazon.nova-pro-v1:0")).toEqual(["thinking"]);
    expect(written("messages", tuned, "amazon.nova-pro-v1:0").additionalModelRequestFields).toEqual({
      inferenceConfig: { topK: 3 },
    });
    expect(leftOut("messages", tuned, "qwen.qwen3-32b-v1:0")).toEqual(["top_k", "thinking"]);
    const chat = { messages: HELLO, seed: 1, temperature: 1.5, reasoning_effort: "low" };
    expect(leftOut("chat", chat, "qwen.qwen3-32b-v1:0")).toEqual(["seed", "temperature", "reasoning_effort"]);
    expect(written("chat", chat, "openai.gpt-oss-20b-1:0").additionalModelRequestFields).toEqual({
      reasoning_effort: "low",
    });
  });

  test.each<[Client, object, string]>([
    [
      "chat",
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "https://x.example/a.png" } }] }] },
      "messages[0].content[0]",
    ],
    [
      "chat",
      {
        messages: [
          ...HELLO,
          { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: "w", arguments: "{}" } }] },
          { role: "tool", tool_call_id: "c", content: "x" },
        ],
        tools: [{ type: "function", function: { name: "w" } }],
        tool_choice: "none",
      },
      "tool_choice",
    ],
  ])("of a %s client is refused where a meaning would be lost: %#", (client, body, param) => {
    try {
      written(client, body);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code: "unsupported_parameter", param });
    }
  });
});

const USAGE = {
  inputTokens: 10,
  outputTokens: 7,
  totalTokens: 47,
  cacheReadInputTokens: 20,
  cacheWriteInputTokens: 10,
};
const ANSWER = {
  output: {
    message: {
      role: "assistant",
      content: [
        { reasoningContent: { reasoningText: { text: "Hm.", signature: "c2ln" } } },
        { text: "Let me see." },
        { toolUse: { toolUseId: "tooluse_1", name: "weather", input: { city: "Rome" } } },
      ],
    },
  },
  stopReason: "tool_use",
  usage: { ...USAGE, cacheDetails: [{ ttl: "1h", inputTokens: 4 }] },
};

const event = (type: string, body: object) => `event: ${type}\ndata: ${JSON.stringify(body)}\n\n`;
const STREAM = [
  event("messageStart", { role: "assistant" }),
  event("contentBlockDelta", { contentBlockIndex: 0, delta: { reasoningContent: { text: "Hm." } } }),
  event("contentBlockDelta", { contentBlockIndex: 0, delta: { reasoningContent: { signature: "c2ln" } } }),
  event("contentBlockStop", { contentBlockIndex: 0 }),
  event("contentBlockDelta", { contentBlockIndex: 1, delta: { text: "Let me " } }),
  event("contentBlockDelta", { contentBlockIndex: 1, delta: { text: "see." } }),
  event("contentBlockStop", { contentBlockIndex: 1 }),
  event("contentBlockStart", { contentBlockIndex: 2, start: { toolUse: { toolUseId: "tooluse_1", name: "weather" } } }),
  event("contentBlockDelta", { contentBlockIndex: 2, delta: { toolUse: { input: '{"city":' } } }),
  event("contentBlockDelta", { contentBlockIndex: 2, delta: { toolUse: { input: '"Rome"}' } } }),
  event("contentBlockStop", { contentBlockIndex: 2 }),
  event("messageStop", { stopReason: "tool_use" }),
  event("metadata", { usage: ANSWER.usage, metrics: { latencyMs: 1 } }),
];
const THINKS = { messages: HELLO, max_tokens: 2_000, thinking: { type: "enabled", budget_tokens: 1_024 } };

describe("an answer of Converse", () => {
  test("as a message: its blocks, its stop and all of its usage", async () => {
    const { inference, translator } = asked("messages", THINKS);
    const { body, usage, outputText } = await translator.readAnswer(inference, Buffer.from(JSON.stringify(ANSWER)));
    expect(usage).toEqual({
      inputTokens: 40,
      cachedInputTokens: 20,
      cacheWriteTokens: 10,
      cacheWriteLongTokens: 4,
      outputTokens: 7,
      reasoningTokens: 0,
    });
    expect(outputText()).toBe('Hm.Let me see.weather{"city":"Rome"}');
    expect(JSON.parse(body.toString())).toMatchObject({
      model: "m",
      stop_reason: "tool_use",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "c2ln" },
        { type: "text", text: "Let me see." },
        { type: "tool_use", id: "tooluse_1", name: "weather", input: { city: "Rome" } },
      ],
      usage: { input_tokens: 10, cache_read_input_tokens: 20, cache_creation_input_tokens: 10, output_tokens: 7 },
    });
  });

  test("as a chat completion and as a response", async () => {
    const chat = asked("chat", { messages: HELLO });
    const whole = await chat.translator.readAnswer(chat.inference, Buffer.from(JSON.stringify(ANSWER)));
    expect(JSON.parse(whole.body.toString())).toMatchObject({
      choices: [
        { finish_reason: "tool_calls", message: { content: "Let me see.", tool_calls: [{ id: "tooluse_1" }] } },
      ],
      usage: { prompt_tokens: 40, completion_tokens: 7, total_tokens: 47 },
    });
    const responses = asked("responses", { input: "Hello" });
    const response = await responses.translator.readAnswer(responses.inference, Buffer.from(JSON.stringify(ANSWER)));
    expect(JSON.parse(response.body.toString())).toMatchObject({ status: "completed", usage: { input_tokens: 40 } });
  });

  test.each([
    ["guardrail_intervened", "content_filter"],
    ["content_filtered", "content_filter"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["end_turn", "stop"],
  ])("that stopped by %s says %s", async (stopReason, finish) => {
    const { inference, translator } = asked("chat", { messages: HELLO });
    const said = { output: { message: { role: "assistant", content: [{ text: "No." }] } }, stopReason, usage: USAGE };
    const { body } = await translator.readAnswer(inference, Buffer.from(JSON.stringify(said)));
    expect(JSON.parse(body.toString()).choices[0].finish_reason).toBe(finish);
  });

  test.each(["{}", "<html>", '{"output":{}}', ""])("that is none is a failure: %s", async (text) => {
    const { inference, translator } = asked("chat", { messages: HELLO });
    await expect(async () => translator.readAnswer(inference, Buffer.from(text))).rejects.toMatchObject({
      kind: "protocol",
    });
  });

  test.each([
    ["at once", STREAM],
    ["event by event", [STREAM.join("")]],
  ])("as a stream of messages, %s", (_how, chunks) => {
    const { inference, translator } = asked("messages", { ...THINKS, stream: true });
    const reader = translator.openStream(inference);
    const out = chunks.map((chunk) => reader.push(Buffer.from(chunk))?.toString() ?? "").join("");
    expect(reader.state).toBe("finished");
    expect(reader.usage).toMatchObject({ inputTokens: 40, outputTokens: 7, cacheWriteLongTokens: 4 });
    const events = (out + reader.terminal).split("\n\n").flatMap((text) => {
      const data = /^data: (.*)$/m.exec(text)?.[1];
      return data === undefined ? [] : [JSON.parse(data)];
    });
    expect(events.flatMap(({ delta }) => delta?.partial_json ?? []).join("")).toBe('{"city":"Rome"}');
    expect(events.flatMap(({ delta }) => delta?.thinking ?? []).join("")).toBe("Hm.");
    expect(events.flatMap(({ delta }) => delta?.signature ?? [])).toEqual(["c2ln"]);
    expect(events.flatMap(({ delta }) => delta?.text ?? []).join("")).toBe("Let me see.");
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" }, usage: { output_tokens: 7 } });
  });

  test("has seals of Claude's vendor only: what another model has sealed nothing takes", async () => {
    const nova = asked("messages", { ...THINKS, stream: true }, "us.amazon.nova-2-lite-v1:0");
    const reader = nova.translator.openStream(nova.inference, route(nova.model));
    const streamed = reader.push(Buffer.from(STREAM.join("")))?.toString() ?? "";
    expect(streamed).toContain('"Hm."');
    expect(streamed).not.toContain("c2ln");
    const answer = Buffer.from(JSON.stringify(ANSWER));
    const whole = await nova.translator.readAnswer(nova.inference, answer, route(nova.model));
    expect(whole.body.toString()).toContain('"Hm."');
    expect(whole.body.toString()).not.toContain("c2ln");
  });

  test("whose stream ends in an exception has failed by its status", () => {
    const { inference, translator } = asked("chat", { messages: HELLO, stream: true });
    const reader = translator.openStream(inference);
    reader.push(Buffer.from(STREAM.slice(0, 6).join("")));
    const error = { code: "throttlingException", type: "throttlingException", status: 429, message: "Too many tokens" };
    reader.push(Buffer.from(event("error", { error })));
    expect(reader.failure).toMatchObject({ code: "throttlingException", status: 429, message: "Too many tokens" });
  });
});
