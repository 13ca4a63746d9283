import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateText, type LanguageModel, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { type Absent, type Client, type Place, weatherIn } from "./client";

globalThis.AI_SDK_LOG_WARNINGS = false;

const tools = {
  get_weather: tool({
    description: "Today's weather",
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => weatherIn(city),
  }),
};

/** Returns a client that uses one of the AI SDK's providers. */
function provider(
  name: string,
  speaks: Client["speaks"],
  modelOf: (place: Place) => LanguageModel,
  whole?: Absent,
): Client {
  const options = (place: Place) => ({ model: modelOf(place), maxRetries: 0 });
  const inTurns = (place: Place) => ({ ...options(place), prompt: "weather?", tools, stopWhen: stepCountIs(3) });
  async function* pieces(stream: ReturnType<typeof streamText>): AsyncIterable<string> {
    for await (const part of stream.fullStream) {
      if (part.type === "text-delta") yield part.text;
      if (part.type === "error") throw part.error;
      if (part.type === "abort") throw new Error("left");
    }
  }
  const gathered = async (stream: ReturnType<typeof streamText>) => {
    let text = "";
    for await (const piece of pieces(stream)) text += piece;
    return text;
  };
  return {
    name: `ai, ${name}`,
    speaks,
    whole:
      whole ??
      (async (place, abortSignal) => (await generateText({ ...options(place), prompt: "hi", abortSignal })).text),
    stream: (place, abortSignal) =>
      pieces(streamText({ ...options(place), prompt: "hi", abortSignal, onError: () => undefined }) as never),
    tools: whole ?? (async (place) => (await generateText(inTurns(place))).text),
    streamedTools: (place) => gathered(streamText({ ...inTurns(place), onError: () => undefined }) as never),
    image: (place, png) =>
      gathered(
        streamText({
          ...options(place),
          messages: [{ role: "user", content: [{ type: "image", image: png, mediaType: "image/png" }] }],
          onError: () => undefined,
        }) as never,
      ),
    isTyped: (problem, status) => APICallError.isInstance(problem) && problem.statusCode === status,
  };
}

export const aiCompatible = provider("openai-compatible", "conversations", ({ url, key, model }) =>
  createOpenAICompatible({ name: "gw", baseURL: `${url}/v1`, apiKey: key, includeUsage: true })(model),
);
export const aiChat = provider("openai.chat", "conversations", ({ url, key, model }) =>
  createOpenAI({ baseURL: `${url}/v1`, apiKey: key }).chat(model),
);
export const aiAnthropic = provider("anthropic", "conversations", ({ url, key, model }) =>
  createAnthropic({ baseURL: `${url}/v1`, apiKey: key })(model),
);
/** `openai(model)`: the AI SDK's default, which uses the responses API. */
export const aiResponses = provider(
  "openai.responses",
  "native",
  ({ url, key, model }) => createOpenAI({ baseURL: `${url}/v1`, apiKey: key })(model),
  { none: "native agents always stream; a whole answer is refused by name" },
);
/** The same for models that gw translates: it refers to the previous response, which gw has stored. */
export const aiTranslated = provider("openai.responses in translation", "conversations", ({ url, key, model }) =>
  createOpenAI({ baseURL: `${url}/v1`, apiKey: key })(model),
);
/** The same on the endpoint's own path. */
export const aiVendorb = provider(
  "openai.responses at /v1/vendorb",
  "native",
  ({ url, key, model }) => createOpenAI({ baseURL: `${url}/v1/vendorb`, apiKey: key }).responses(model),
  { none: "native agents always stream; a whole answer is refused by name" },
);
