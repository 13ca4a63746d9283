import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { zodOutputFormat } from "@anthropic-ai/sdk/helpers/zod";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, Output } from "ai";
import OpenAI from "openai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { expectCleanBooks } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";
import { nativeViolations } from "../../support/stream-grammar";

let gateway: Gateway;
let openai: OpenAI;
let anthropic: Anthropic;
beforeAll(async () => {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  gateway = await startGateway();
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 });
});
afterAll(async () => {
  await expectCleanBooks(gateway);
  await gateway?.close();
});

const Weather = z.object({ city: z.string(), degrees: z.number().int(), sky: z.enum(["clear", "cloudy"]) });
const question = "What is the weather in Paris, at 18 degrees?";
const MODELS = ["sandbox-chat", "sandbox-messages"];

describe.each(MODELS)("typed output by %s, as SDKs parse it", (model) => {
  test("chat.completions.parse", async () => {
    const answer = await openai.chat.completions.parse({
      model,
      max_tokens: 200,
      messages: [{ role: "user", content: question }],
      response_format: zodResponseFormat(Weather, "weather"),
    });
    expect(Weather.parse(answer.choices[0]!.message.parsed)).toMatchObject({ city: "Paris" });
  });

  test("responses.parse", async () => {
    const text = { format: zodTextFormat(Weather, "weather") };
    const answer = await openai.responses.parse({ model, input: question, text });
    expect(Weather.parse(answer.output_parsed)).toMatchObject({ city: "Paris" });
  });

  test("messages.parse", async () => {
    const answer = await anthropic.messages.parse({
      model,
      max_tokens: 200,
      messages: [{ role: "user", content: question }],
      output_config: { format: zodOutputFormat(Weather) },
    });
    expect(Weather.parse(answer.parsed_output)).toMatchObject({ city: "Paris" });
  });

  test("the AI SDK's Output.object, in responses and messages", async () => {
    const providers = [
      createOpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key })(model),
      createAnthropic({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key })(model),
    ];
    for (const by of providers) {
      const output = Output.object({ schema: Weather });
      const answer = await generateText({ model: by, prompt: question, output, maxRetries: 0 });
      expect(answer.output).toMatchObject({ city: "Paris" });
    }
  });

  test("LangChain's withStructuredOutput, in responses", async () => {
    const client = new ChatOpenAI({
      ...{ model, apiKey: gateway.key, useResponsesApi: true, maxRetries: 0 },
      configuration: { baseURL: `${gateway.url}/v1` },
    });
    const structured = client.withStructuredOutput(Weather, { method: "jsonSchema" });
    expect(await structured.invoke(question)).toMatchObject({ city: "Paris" });
  });
});

/** Fields of a response that the vendor's description requires and that the SDK's type has. */
const REQUIRED = [
  ...["id", "object", "created_at", "status", "error", "incomplete_details", "instructions", "metadata", "model"],
  ...["output", "parallel_tool_calls", "temperature", "tool_choice", "tools", "top_p"],
  ...["previous_response_id", "text", "truncation", "usage", "max_output_tokens", "reasoning"],
];

describe.each([...MODELS, "sandbox-agent"])("a response of %s", (model) => {
  const respond = (more: object) =>
    fetch(`${gateway.url}/v1/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, input: "Write 30 words.", temperature: 0.5, metadata: { team: "a" }, ...more }),
    });

  test("has every member that its schema requires, in each of its states", async () => {
    const text = await (await respond({ stream: true })).text();
    expect(nativeViolations(text)).toEqual([]);
    const states = text
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .flatMap((line) => (JSON.parse(line.slice(6)) as { response?: object }).response ?? []);
    expect(states.length).toBeGreaterThan(1);
    for (const state of states) expect(Object.keys(state)).toEqual(expect.arrayContaining(REQUIRED));
    expect(states.at(-1)).toMatchObject({
      ...{ status: "completed", temperature: 0.5, metadata: { team: "a" }, tools: [], tool_choice: "auto" },
      usage: { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
    });
  });

  test("that meets its ceiling is incomplete", async () => {
    const text = await (await respond({ stream: true, max_output_tokens: 16 })).text();
    expect(text).toContain("event: response.incomplete");
    expect(text).toContain('"incomplete_details":{"reason":"max_output_tokens"}');
    expect(nativeViolations(text)).toEqual([]);
  });
});
