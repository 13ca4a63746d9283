import type { ModelsToTry } from "../guide/models-to-try";

type SdkSample = { id: string; name: string; about: string; install: string; file: string; text: string };

/** A whole program for each client library: it runs as it stands, with the key in the environment. */
export const sdkPrograms = (baseUrl: string, models: ModelsToTry): SdkSample[] => [
  {
    id: "curl",
    name: "curl",
    about: "Nothing to install. -N shows a stream as it comes, -i the receipt in the headers.",
    install: "",
    file: "In a terminal",
    text: `curl -i ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer $GW_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${models.chat}", "messages": [{"role": "user", "content": "Say hello."}]}'`,
  },
  {
    id: "chat-sdk",
    name: "Chat SDK",
    about: "The base URL ends in /v1. Fields of gw’s own, such as region, pass through untyped.",
    install: "npm install openai",
    file: "chat.mjs",
    text: `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}/v1", apiKey: process.env.GW_KEY });

try {
  const stream = await client.chat.completions.create({
    model: "${models.chat}",
    messages: [{ role: "user", content: "Tell me a story in 20 words." }],
    stream: true,
  });
  for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta?.content ?? "");
} catch (problem) {
  // A typed error, also in the middle of a stream.
  if (problem instanceof OpenAI.APIError) console.error(problem.status, problem.code, problem.message);
  else throw problem;
}`,
  },
  {
    id: "messages-sdk",
    name: "Messages SDK",
    about: "The base URL has no path. Old and new versions of the SDK work; chat-style models do too.",
    install: "npm install @anthropic-ai/sdk",
    file: "messages.mjs",
    text: `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${baseUrl}", apiKey: process.env.GW_KEY });

const stream = client.messages.stream({
  model: "${models.messages}",
  max_tokens: 256,
  messages: [{ role: "user", content: "Tell me a story in 20 words." }],
});
stream.on("text", (text) => process.stdout.write(text));
const { usage } = await stream.finalMessage();
console.log("\\n", usage);`,
  },
  {
    id: "ai-sdk",
    name: "AI SDK",
    about: "The providers for chat, messages and responses all take a base URL that ends in /v1.",
    install: "npm install ai @ai-sdk/openai-compatible",
    file: "ai.mjs",
    text: `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";

const gw = createOpenAICompatible({ name: "gw", baseURL: "${baseUrl}/v1", apiKey: process.env.GW_KEY });

const { textStream } = streamText({ model: gw("${models.chat}"), prompt: "Tell me a story in 20 words." });
for await (const text of textStream) process.stdout.write(text);`,
  },
  {
    id: "langchain",
    name: "LangChain",
    about: "Chains, agents and structured output, with either of the two chat classes.",
    install: "npm install @langchain/core @langchain/openai",
    file: "chain.mjs",
    text: `import { ChatOpenAI } from "@langchain/openai";

const model = new ChatOpenAI({
  model: "${models.chat}",
  apiKey: process.env.GW_KEY,
  configuration: { baseURL: "${baseUrl}/v1" },
});
for await (const chunk of await model.stream("Tell me a story in 20 words.")) process.stdout.write(String(chunk.content));`,
  },
  {
    id: "rerank-sdk",
    name: "Rerank SDK",
    about: "Its first version calls /v1/rerank, its second /v2/rerank. Both are here.",
    install: "npm install cohere-ai",
    file: "rerank.mjs",
    text: `import { CohereClient } from "cohere-ai";

const client = new CohereClient({ environment: "${baseUrl}", token: process.env.GW_KEY });

const { results } = await client.rerank({
  model: "${models.rerank}",
  query: "capital of France",
  documents: ["Cats sleep.", "The capital of France is Paris."],
});
console.log(results);`,
  },
];
