import { describe, expect, test } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import { chatDialect } from "../chat";
import { messagesDialect } from "../messages";
import { responsesDialect } from "../responses";
import { translatorFor } from "../translators";

const route = (upstreamModel: string) => ({ upstreamModel, supplier: {}, model: { maxOutputTokens: 500 } }) as Route;
const DIALECTS = { chat: chatDialect, messages: messagesDialect, responses: responsesDialect };
type Client = keyof typeof DIALECTS;

function asked(client: Client, body: object) {
  const inference = DIALECTS[client].read(JSON.stringify({ model: "m", ...body }));
  return { inference, translator: translatorFor(client, "gemini")! };
}
const written = (client: Client, body: object, model = "gemini-2.5-flash") => {
  const { inference, translator } = asked(client, body);
  return JSON.parse(translator.forward(inference, route(model)) as string);
};
const leftOut = (client: Client, body: object, model: string) => {
  const { inference, translator } = asked(client, body);
  return translator.leftOut!(inference, route(model));
};

const WEATHER = { type: "object", properties: { city: { type: "string" } } };
const HELLO = [{ role: "user", content: "Hello" }];
const CALLED = [
  { role: "user", content: "Weather?" },
  {
    role: "assistant",
    tool_calls: ["a", "b"].map((id) => ({ id, type: "function", function: { name: "weather", arguments: "{}" } })),
  },
  { role: "tool", tool_call_id: "a", content: "sunny" },
  { role: "tool", tool_call_id: "b", content: "rain" },
];
const TOOLS = [{ type: "function", function: { name: "weather", description: "Tells it.", parameters: WEATHER } }];

describe("a request as generateContent has it", () => {
  test("of a chat client, with everything in it", () => {
    const picture = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
    const body = written("chat", {
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "What is this?" }, picture] },
        ...CALLED.slice(1),
      ],
      tools: TOOLS,
      tool_choice: "required",
      max_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      stop: ["END"],
    });
    const call = { functionCall: { name: "weather", args: {} } };
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [
        {
          role: "user",
          parts: [{ text: "What is this?" }, { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } }],
        },
        { role: "model", parts: [call, call] },
        {
          role: "user",
          parts: [
            { functionResponse: { name: "weather", response: { output: "sunny" } } },
            { functionResponse: { name: "weather", response: { output: "rain" } } },
          ],
        },
      ],
      tools: [{ functionDeclarations: [{ name: "weather", description: "Tells it.", parametersJsonSchema: WEATHER }] }],
      toolConfig: { functionCallingConfig: { mode: "ANY" } },
      generationConfig: {
        maxOutputTokens: 100,
        temperature: 0.5,
        topP: 0.9,
        stopSequences: ["END"],
      },
    });
  });

  test("has a schema for its answer", () => {
    const response_format = { type: "json_schema", json_schema: { name: "out", schema: WEATHER } };
    expect(written("chat", { messages: HELLO, response_format }).generationConfig).toEqual({
      responseMimeType: "application/json",
      responseJsonSchema: WEATHER,
    });
  });

  test("thinks as much as is asked, in the words of its version", () => {
    const thinkingOf = (body: object, model: string) =>
      written("messages", { messages: HELLO, max_tokens: 4_000, ...body }, model).generationConfig.thinkingConfig;
    const enabled = { thinking: { type: "enabled", budget_tokens: 2_000 } };
    expect(thinkingOf(enabled, "gemini-2.5-pro")).toEqual({ includeThoughts: true, thinkingBudget: 2_000 });
    expect(thinkingOf({ thinking: { type: "disabled" } }, "gemini-2.5-flash")).toEqual({ thinkingBudget: 0 });
    expect(thinkingOf({ thinking: { type: "disabled" } }, "gemini-2.5-pro")).toEqual({ thinkingBudget: 128 });
    const effort = (reasoning_effort: string, model: string) =>
      written("chat", { messages: HELLO, reasoning_effort }, model).generationConfig.thinkingConfig;
    expect(effort("high", "gemini-3-pro-preview")).toEqual({ includeThoughts: true, thinkingLevel: "high" });
    expect(effort("low", "gemini-3.6-flash")).toEqual({ includeThoughts: true, thinkingLevel: "low" });
    expect(effort("medium", "gemini-2.5-flash")).toEqual({ includeThoughts: true, thinkingBudget: 8_192 });
    expect(leftOut("chat", { messages: HELLO, reasoning_effort: "low", user: "ann" }, "gemini-2.0-flash")).toEqual([
      "user",
      "reasoning_effort",
    ]);
  });

  test("seals of thoughts go back to where they stood, and calls without one say so to models that check", () => {
    const messages = [
      ...HELLO,
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "gw:gemini:c2ln" },
          { type: "tool_use", id: "t1", name: "weather", input: {} },
          { type: "tool_use", id: "t2", name: "weather", input: {} },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", is_error: true, content: "broken" }] },
    ];
    const [, model, results] = written("messages", { messages, max_tokens: 50 }, "gemini-3-pro-preview").contents;
    const call = { functionCall: { name: "weather", args: {} } };
    expect(model.parts).toEqual([{ ...call, thoughtSignature: "c2ln" }, call]);
    expect(results.parts).toEqual([{ functionResponse: { name: "weather", response: { error: "broken" } } }]);
    const unsealed = written("chat", { messages: CALLED, tools: TOOLS }, "gemini-3-pro-preview").contents[1].parts;
    expect(unsealed).toEqual([{ ...call, thoughtSignature: "skip_thought_signature_validator" }, call]);
  });

  test("and no other supplier gets a seal of Gemini's", () => {
    const content = [
      { type: "thinking", thinking: "Hm.", signature: "gw:gemini:c2ln" },
      { type: "text", text: "Well." },
    ];
    const messages = [...HELLO, { role: "assistant", content }, ...HELLO];
    const inference = messagesDialect.read(JSON.stringify({ model: "m", max_tokens: 9, messages }));
    const sent = translatorFor("messages", "messages")!.forward(inference, {
      upstreamModel: "up",
      supplier: { kind: "messages" },
    } as Route);
    expect(JSON.parse(sent as string).messages[1].content).toEqual([{ type: "text", text: "Well." }]);
  });

  test("of what would lose a meaning is refused", () => {
    const image = { type: "image_url", image_url: { url: "https://x.example/a.png" } };
    expect(() => written("chat", { messages: [{ role: "user", content: [image] }] }, "gemini-2.0-flash")).toThrow(
      expect.objectContaining({ code: "unsupported_parameter", param: "messages[0].content[0]" }),
    );
  });
});

const USAGE = {
  promptTokenCount: 40,
  cachedContentTokenCount: 30,
  candidatesTokenCount: 7,
  thoughtsTokenCount: 5,
  toolUsePromptTokenCount: 2,
  totalTokenCount: 54,
  promptTokensDetails: [{ modality: "AUDIO", tokenCount: 4 }],
};
const PARTS = [
  { text: "Hm.", thought: true },
  { text: "Let me see." },
  { functionCall: { name: "weather", args: { city: "Rome" } }, thoughtSignature: "c2ln" },
];
const FRAME = { modelVersion: "gemini-2.5-flash", responseId: "r1" };
const answer = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
  ...FRAME,
});

describe("an answer of generateContent", () => {
  test("has all of its usage, with thoughts and what was cached", async () => {
    const { inference, translator } = asked("chat", { messages: HELLO });
    const wire = { ...answer(PARTS, { finishReason: "STOP" }), usageMetadata: USAGE };
    const { body, usage } = await translator.readAnswer(inference, Buffer.from(JSON.stringify(wire)));
    expect(usage).toEqual({
      inputTokens: 42,
      cachedInputTokens: 30,
      cacheWriteTokens: 0,
      outputTokens: 12,
      reasoningTokens: 5,
      audioInputTokens: 4,
    });
    expect(JSON.parse(body.toString())).toMatchObject({
      id: "chatcmpl-r1",
      choices: [
        {
          finish_reason: "tool_calls",
          message: {
            content: "Let me see.",
            tool_calls: [{ function: { name: "weather", arguments: '{"city":"Rome"}' } }],
          },
        },
      ],
      usage: { prompt_tokens: 42, completion_tokens: 12, completion_tokens_details: { reasoning_tokens: 5 } },
    });
  });

  test.each([
    ["SAFETY", "content_filter"],
    ["PROHIBITED_CONTENT", "content_filter"],
    ["MAX_TOKENS", "length"],
    ["STOP", "stop"],
  ])("that stopped by %s says %s, whole and streamed", async (finishReason, finish) => {
    const wire = { ...answer([{ text: "No." }], { finishReason }), usageMetadata: USAGE };
    const whole = asked("chat", { messages: HELLO });
    const { body } = await whole.translator.readAnswer(whole.inference, Buffer.from(JSON.stringify(wire)));
    expect(JSON.parse(body.toString()).choices[0].finish_reason).toBe(finish);
    const streamed = asked("chat", { messages: HELLO, stream: true });
    const reader = streamed.translator.openStream(streamed.inference);
    const out = reader.push(Buffer.from(`data: ${JSON.stringify(wire)}\r\n\r\n`));
    expect(`${out}${reader.terminal}`).toContain(`"finish_reason":"${finish}"`);
  });

  test("to a prompt that was blocked is a refusal with what it cost", async () => {
    const wire = {
      promptFeedback: { blockReason: "SAFETY" },
      usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
    };
    const { inference, translator } = asked("messages", { messages: HELLO, max_tokens: 9 });
    const { body, usage } = await translator.readAnswer(inference, Buffer.from(JSON.stringify(wire)));
    expect(JSON.parse(body.toString())).toMatchObject({ model: "m", stop_reason: "refusal", content: [] });
    expect(usage).toMatchObject({ inputTokens: 9, outputTokens: 0 });
  });

  test.each(["{}", "<html>", "[]"])("that is none is a failure: %s", async (text) => {
    const { inference, translator } = asked("chat", { messages: HELLO });
    await expect(async () => translator.readAnswer(inference, Buffer.from(text))).rejects.toMatchObject({
      kind: "protocol",
    });
  });

  test.each([
    ["that is enough to be asked for twice", { ...USAGE, cachedContentTokenCount: 41 }],
    ["with a negative count", { ...USAGE, candidatesTokenCount: -1 }],
    ["with half a token", { ...USAGE, promptTokenCount: 0.5 }],
  ])("with a usage %s is estimated", async (_name, usageMetadata) => {
    const { inference, translator } = asked("chat", { messages: HELLO });
    const wire = { ...answer([{ text: "Hi" }], { finishReason: "STOP" }), usageMetadata };
    expect((await translator.readAnswer(inference, Buffer.from(JSON.stringify(wire)))).usage).toBeNull();
  });

  test("as a stream of messages: thoughts with their seal, text, and a call that comes whole", () => {
    const thinking = { type: "enabled", budget_tokens: 1_024 };
    const { inference, translator } = asked("messages", { messages: HELLO, max_tokens: 2_000, thinking, stream: true });
    const reader = translator.openStream(inference);
    const chunks = [
      answer([PARTS[0]!]),
      answer([{ text: "Let me ", thoughtSignature: "c2ln" }]),
      answer([{ text: "see." }]),
      answer([PARTS[2]!], { finishReason: "STOP" }),
    ].map((wire, index) => ({ ...wire, usageMetadata: index === 3 ? USAGE : { promptTokenCount: 40 } }));
    const out = chunks.map((wire) => reader.push(Buffer.from(`data: ${JSON.stringify(wire)}\r\n\r\n`)) ?? "").join("");
    expect(reader.state).toBe("finished");
    expect(reader.usage).toMatchObject({ inputTokens: 42, outputTokens: 12, reasoningTokens: 5 });
    expect(out).toContain('"model":"m"');
    expect(out).toContain('"thinking":"Hm."');
    expect(out).toContain('"signature":"gw:gemini:c2ln"');
    expect(out).toContain('"partial_json":"{\\"city\\":\\"Rome\\"}"');
    expect(reader.terminal.toString()).toContain('"stop_reason":"tool_use"');
  });

  test("whose stream ends in an error has failed by its status", () => {
    const { inference, translator } = asked("chat", { messages: HELLO, stream: true });
    const reader = translator.openStream(inference);
    reader.push(Buffer.from(`data: ${JSON.stringify(answer([{ text: "Hi" }]))}\n\n`));
    const error = { code: 429, message: "Quota exceeded", status: "RESOURCE_EXHAUSTED" };
    reader.push(Buffer.from(`data: ${JSON.stringify({ error })}\n\n`));
    expect(reader.failure).toMatchObject({ code: "RESOURCE_EXHAUSTED", status: 429, message: "Quota exceeded" });
  });
});
