import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatAnthropic } from "@langchain/anthropic";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { APICallError, generateText, type LanguageModel, Output, stepCountIs, streamText, tool } from "ai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type BothDialects, startBothDialects } from "../support/both-dialects";

let both: BothDialects;
beforeAll(async () => {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  both = await startBothDialects();
});
afterAll(() => both?.close());
beforeEach(() => both.supplier.say({ text: "Hello there" }));

const baseURL = () => `${both.gateway.url}/v1`;
const apiKey = () => both.gateway.key;
const PNG = Buffer.from("89504e470d0a1a0a", "hex");

/** The chat and the messages providers of the AI SDK. */
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

const weather = tool({
  description: "Today's weather",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `sun in ${city}`,
});

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

    test.each(["whole", "streamed"])("runs tools, several at once, %s", async (how) => {
      both.supplier.say(
        { text: "Let me look", calls: [{ input: { city: "Rome" } }, { input: { city: "Oslo" } }] },
        { text: "Sun everywhere" },
      );
      const options = {
        model: model(),
        tools: { weather },
        prompt: "weather?",
        stopWhen: stepCountIs(3),
        maxRetries: 0,
      };
      const text = how === "whole" ? (await generateText(options)).text : await streamedText(options);
      expect(text).toBe("Sun everywhere");
      const sent = JSON.stringify(both.supplier.last().body.messages);
      expect(sent.indexOf("sun in Rome")).toBeGreaterThan(0);
      expect(sent.indexOf("sun in Oslo")).toBeGreaterThan(sent.indexOf("sun in Rome"));
    });

    test("sends pictures", async () => {
      await generateText({
        model: model(),
        maxRetries: 0,
        system: "Be kind.",
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "look" },
              { type: "image", image: PNG, mediaType: "image/png" },
            ],
          },
        ],
      });
      expect(JSON.stringify(both.supplier.last().body)).toContain(PNG.toString("base64"));
    });

    test("gets an object by its schema", async () => {
      // The messages provider asks for it by a forced tool, the chat providers by a response format.
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

    test("raises its error for a refusal", async () => {
      both.supplier.say({ failure: { status: 429, type: "rate_limit_error", message: "Slow down", retryAfter: 3 } });
      const problem = await generateText({ model: model(), prompt: "hi", maxRetries: 0 }).catch(
        (error: unknown) => error,
      );
      expect(APICallError.isInstance(problem)).toBe(true);
      expect(problem).toMatchObject({ statusCode: 429, message: expect.stringContaining("Slow down") });
    });

    test.each(["error", "cut"] as const)("raises an error when the stream breaks off by %s", async (breaks) => {
      both.supplier.say({ text: "one two three four five six", breaks });
      const problems: unknown[] = [];
      const { textStream, finishReason } = streamText({
        model: model(),
        prompt: "hi",
        maxRetries: 0,
        onError: ({ error }) => void problems.push(error),
      });
      let text = "";
      for await (const piece of textStream) text += piece;
      expect(text).toMatch(/^one two/);
      expect(problems).toHaveLength(1);
      expect(await Promise.resolve(finishReason).catch(() => "error")).toBe("error");
    });

    test("leaves, and the supplier is left", async () => {
      both.supplier.say({ text: "word ".repeat(200), paceMs: 20 });
      const abort = new AbortController();
      const { textStream } = streamText({
        model: model(),
        prompt: "hi",
        maxRetries: 0,
        abortSignal: abort.signal,
        onError: () => undefined,
      });
      for await (const _piece of textStream) abort.abort();
      await expect.poll(() => both.supplier.last().aborted, { timeout: 2_000 }).toBe(true);
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

    test("gets a stream", async () => {
      both.supplier.say({ text: "one two three" });
      let whole: { text: string } | undefined;
      let chunks = 0;
      for await (const chunk of await client().stream("hi")) {
        whole = whole === undefined ? chunk : (whole as typeof chunk).concat(chunk);
        chunks += 1;
      }
      expect(chunks).toBeGreaterThan(2);
      expect(whole?.text).toBe("one two three");
    });

    test.each(["whole", "streamed"])("has a tool conversation, %s", async (how) => {
      both.supplier.say({ calls: [{ id: "call_7", input: { city: "Rome" } }] }, { text: "Sunny" });
      const schema = { name: "get_weather", description: "d", schema: z.object({ city: z.string() }) };
      const bound = client().bindTools([schema]);
      const question = new HumanMessage("weather?");
      const asked = how === "whole" ? await bound.invoke([question]) : await gathered(await bound.stream([question]));
      expect(asked.tool_calls).toMatchObject([{ name: "get_weather", args: { city: "Rome" }, id: "call_7" }]);
      const history = [
        question,
        new AIMessage({ content: "", tool_calls: asked.tool_calls }),
        new ToolMessage({ content: "sun", tool_call_id: "call_7", name: "get_weather" }),
      ];
      expect((await bound.invoke(history)).text).toBe("Sunny");
      expect(JSON.stringify(both.supplier.last().body.messages)).toContain('"sun"');
    });

    test("sends pictures", async () => {
      const url = `data:image/png;base64,${PNG.toString("base64")}`;
      await client().invoke([
        new HumanMessage({
          content: [
            { type: "text", text: "look" },
            { type: "image_url", image_url: { url } },
          ],
        }),
      ]);
      expect(JSON.stringify(both.supplier.last().body)).toContain(PNG.toString("base64"));
    });

    test("gets an object by a forced tool", async () => {
      both.supplier.say({ calls: [{ input: { city: "Rome" } }] });
      const structured = client().withStructuredOutput(z.object({ city: z.string() }), { method: "functionCalling" });
      expect(await structured.invoke("where?")).toEqual({ city: "Rome" });
    });

    test("raises an error for a refusal", async () => {
      both.supplier.say({ failure: { status: 400, type: "invalid_request_error", message: "No such thing" } });
      await expect(client().invoke("hi")).rejects.toThrow("No such thing");
    });

    test.each(["error", "cut"] as const)("raises an error when the stream breaks off by %s", async (breaks) => {
      both.supplier.say({ text: "one two three four five six", breaks });
      await expect(gathered(await client().stream("hi"))).rejects.toThrow();
    });

    test("leaves, and the supplier is left", async () => {
      both.supplier.say({ text: "word ".repeat(200), paceMs: 20 });
      const abort = new AbortController();
      const reading = (async () => {
        for await (const _chunk of await client().stream("hi", { signal: abort.signal })) abort.abort();
      })();
      await reading.catch(() => undefined);
      await expect.poll(() => both.supplier.last().aborted, { timeout: 2_000 }).toBe(true);
    });
  });
});

async function streamedText(options: Parameters<typeof streamText>[0]): Promise<string> {
  return await streamText(options).text;
}

async function gathered<Chunk extends { concat(other: Chunk): Chunk }>(stream: AsyncIterable<Chunk>): Promise<Chunk> {
  let whole: Chunk | undefined;
  for await (const chunk of stream) whole = whole === undefined ? chunk : whole.concat(chunk);
  return whole!;
}
