import { ChatAnthropic } from "@langchain/anthropic";
import { AIMessage, type AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";
import { type Client, type Place, weatherIn } from "./client";

const weather = { name: "get_weather", description: "Today's weather", schema: z.object({ city: z.string() }) };

async function gathered(stream: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined;
  for await (const chunk of stream) whole = whole === undefined ? chunk : whole.concat(chunk);
  return whole!;
}

/** Returns a client that uses one of LangChain's chat models. */
function chatModel(name: string, modelOf: (place: Place) => ChatOpenAI | ChatAnthropic): Client {
  const twoTurns = async (place: Place, how: "whole" | "streamed") => {
    const bound = modelOf(place).bindTools([weather]);
    const ask = async (history: (HumanMessage | AIMessage | ToolMessage)[]): Promise<AIMessage> =>
      how === "whole" ? bound.invoke(history) : gathered(await bound.stream(history));
    const question = new HumanMessage("weather?");
    const { tool_calls: calls = [] } = await ask([question]);
    const results = calls.map(
      ({ id, args }) =>
        new ToolMessage({ tool_call_id: id!, name: "get_weather", content: weatherIn(args.city as string) }),
    );
    // Histories rebuilt from a store often have an empty text next to the calls.
    return (await ask([question, new AIMessage({ content: "", tool_calls: calls }), ...results])).text;
  };
  return {
    name: `langchain, ${name}`,
    speaks: "conversations",
    whole: async (place, signal) => (await modelOf(place).invoke("hi", { signal })).text,
    async *stream(place, signal) {
      for await (const chunk of await modelOf(place).stream("hi", { signal })) yield chunk.text;
    },
    tools: (place) => twoTurns(place, "whole"),
    streamedTools: (place) => twoTurns(place, "streamed"),
    async image(place, png) {
      const url = `data:image/png;base64,${png}`;
      const content = [
        { type: "text", text: "look" },
        { type: "image_url", image_url: { url } },
      ];
      return (await modelOf(place).invoke([new HumanMessage({ content })])).text;
    },
    // LangChain passes on the error of the underlying SDK.
    isTyped: (problem, status) => problem instanceof Error && (problem as { status?: unknown }).status === status,
  };
}

export const langchainOpenai = chatModel(
  "ChatOpenAI",
  ({ url, key, model }) =>
    new ChatOpenAI({ model, apiKey: key, configuration: { baseURL: `${url}/v1` }, maxRetries: 0 }),
);
/** LangChain's responses mode. */
export const langchainResponses = chatModel(
  "ChatOpenAI, responses",
  ({ url, key, model }) =>
    new ChatOpenAI({
      ...{ model, apiKey: key, maxRetries: 0, useResponsesApi: true },
      configuration: { baseURL: `${url}/v1` },
    }),
);
export const langchainAnthropic = chatModel(
  "ChatAnthropic",
  ({ url, key, model }) =>
    new ChatAnthropic({ model, apiKey: key, anthropicApiUrl: url, maxRetries: 0, maxTokens: 500 }),
);
