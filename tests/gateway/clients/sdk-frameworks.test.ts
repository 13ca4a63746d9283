import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatAnthropic } from "@langchain/anthropic";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, type LanguageModel, Output, streamText } from "ai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type BothDialects, startBothDialects } from "../../support/both-dialects";

/** Cases of the frameworks beyond those of all clients (`clients/`): usage, structured objects, reasoning. */
let both: BothDialects;
beforeAll(async () => {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  both = await startBothDialects();
});
afterAll(() => both?.close());
beforeEach(() => both.supplier.say({ text: "Hello there" }));

const baseURL = () => `${both.gateway.url}/v1`;
const apiKey = () => both.gateway.key;

/** The chat and messages providers of the AI SDK. */
const PROVIDERS: Record<string, (model: string) => LanguageModel> = {
  "openai-compatible": (model) =>
    createOpenAICompatible({
      name: "gw",
      baseURL: baseURL(),
      apiKey: apiKey(),
      includeUsage: true,
      supportsStructuredOutputs: true,
    })(model),
  "openai chat": (model) => createOpenAI({ baseURL: baseURL(), apiKey: apiKey() }).chat(model),
  anthropic: (model) => createAnthropic({ baseURL: baseURL(), apiKey: apiKey() })(model),
};

describe.each(Object.keys(PROVIDERS))("the AI SDK's %s provider", (provider) => {
  describe.each(["chat-model", "messages-model"])("with %s", (name) => {
    const model = () => PROVIDERS[provider]!(name);

    test("gets a whole text and its usage", async () => {
      const { text, usage, finishReason } = await generateText({ model: model(), prompt: "hi", maxRetries: 0 });
      expect([text, finishReason]).toEqual(["Hello there", "stop"]);
      expect(usage).toMatchObject({ inputTokens: 120, outputTokens: 9, cachedInputTokens: 100 });
    });

    test("gets a stream and its usage", async () => {
      both.supplier.say({ text: "one two three", usage: { input: 30, cached: 10, output: 5, reasoning: 0 } });
      const { textStream, usage, finishReason } = streamText({ model: model(), prompt: "hi", maxRetries: 0 });
      const pieces: string[] = [];
      for await (const piece of textStream) pieces.push(piece);
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.join("")).toBe("one two three");
      expect(await finishReason).toBe("stop");
      expect(await usage).toMatchObject({ inputTokens: 30, outputTokens: 5, cachedInputTokens: 10 });
    });

    test("gets an object by its schema", async () => {
      // The messages provider requests the object with a forced tool, the chat providers with a response format.
      both.supplier.say(
        provider === "anthropic" ? { calls: [{ input: { city: "Rome" } }] } : { text: '{"city":"Rome"}' },
      );
      const output = Output.object({ schema: z.object({ city: z.string() }) });
      const result = await generateText({ model: model(), prompt: "where?", maxRetries: 0, output });
      expect(result.output).toEqual({ city: "Rome" });
    });

    test("shows reasoning", async () => {
      both.supplier.say({ thinking: "Two and two", text: "Four" });
      const providerOptions = { anthropic: { thinking: { type: "enabled", budgetTokens: 1024 } } };
      const { reasoningText, text } = await generateText({
        model: model(),
        prompt: "2+2",
        maxRetries: 0,
        providerOptions,
      });
      expect(text).toBe("Four");
      if (provider !== "openai chat") expect(reasoningText).toBe("Two and two");
    });
  });
});

/** LangChain's two clients. */
const CLIENTS: Record<string, (model: string) => ChatOpenAI | ChatAnthropic> = {
  ChatOpenAI: (model) =>
    new ChatOpenAI({ model, apiKey: apiKey(), configuration: { baseURL: baseURL() }, maxRetries: 0 }),
  ChatAnthropic: (model) =>
    new ChatAnthropic({ model, apiKey: apiKey(), anthropicApiUrl: both.gateway.url, maxRetries: 0, maxTokens: 500 }),
};

describe.each(Object.keys(CLIENTS))("LangChain's %s", (name) => {
  describe.each(["chat-model", "messages-model"])("with %s", (modelId) => {
    const client = () => CLIENTS[name]!(modelId);

    test("gets a whole message and its usage", async () => {
      const message = await client().invoke([new SystemMessage("Be kind."), new HumanMessage("hi")]);
      expect(message.text).toBe("Hello there");
      expect(message.usage_metadata).toMatchObject({ input_tokens: 120, output_tokens: 9 });
    });

    test("gets an object by a forced tool", async () => {
      both.supplier.say({ calls: [{ input: { city: "Rome" } }] });
      const structured = client().withStructuredOutput(z.object({ city: z.string() }), { method: "functionCalling" });
      expect(await structured.invoke("where?")).toEqual({ city: "Rome" });
    });
  });
});
