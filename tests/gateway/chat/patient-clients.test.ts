import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type LanguageModel, streamText } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectCleanBooks } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";
import { beginStream, END, type SlowSupplier, Stethoscope, says, startSlowSupplier } from "../../support/slow-supplier";

globalThis.AI_SDK_LOG_WARNINGS = false;

let supplier: SlowSupplier;
let gateway: Gateway;
beforeAll(async () => {
  supplier = await startSlowSupplier();
  gateway = await startGateway({ config: supplier.config });
});
afterAll(async () => {
  await gateway?.close();
  supplier?.close();
});

type Options = { baseURL: string; apiKey: string; fetch: typeof fetch };

const PROVIDERS: [string, (options: Options) => LanguageModel][] = [
  ["openai", (options) => createOpenAI(options)("m")],
  ["openai-compatible", (options) => createOpenAICompatible({ name: "gw", ...options })("m")],
  ["anthropic", (options) => createAnthropic(options)("m")],
];

/** Returns the options of a provider whose heartbeats are detected. */
const listenedTo = (heart: Stethoscope): Options => ({
  baseURL: `${gateway.url}/v1`,
  apiKey: gateway.key,
  async fetch(...request) {
    const response = await fetch(...request);
    return new Response(heart.listenTo(response.body!), response);
  },
});

/** Reads one answer of streamText; `failure`: the reported error, if there is one. */
async function read(model: LanguageModel, prompt: string) {
  const stream = streamText({ model, prompt, maxRetries: 0, onError: () => undefined });
  let text = "";
  let failure = "";
  for await (const part of stream.fullStream) {
    if (part.type === "text-delta") text += part.text;
    if (part.type === "error") failure = JSON.stringify(part.error, Object.getOwnPropertyNames(part.error));
  }
  return failure === "" ? { text, reason: await stream.finishReason } : { text, failure };
}

describe.concurrent.each(PROVIDERS)("the AI SDK's provider %s", (_name, modelWith) => {
  test("hears signs of life before the first event and in the middle, and reads on", async () => {
    const heart = new Stethoscope();
    const { word, asked } = supplier.expect(async (response) => {
      await heart.heartbeat();
      beginStream(response).write(says("Good "));
      await heart.heartbeat();
      response.end(says("morning.") + END);
    });
    expect(await read(modelWith(listenedTo(heart)), word)).toEqual({ text: "Good morning.", reason: "stop" });
    expect(asked()).toBe(1);
  });

  test("is told inside its stream what fails behind a sign of life", async () => {
    const heart = new Stethoscope();
    const { word } = supplier.expect(async (response) => {
      await heart.heartbeat();
      response.writeHead(500, { "content-type": "application/json" }).end('{"error":{"message":"It fell over"}}');
    });
    const told = await read(modelWith(listenedTo(heart)), word);
    expect(told).toMatchObject({ text: "", failure: expect.stringMatching(/supplier|fell over/i) });
  });
});

test("afterwards the books are in order", () => expectCleanBooks(gateway));
