import type { Sample } from "../../parts/CodeChoice";
import type { ModelsToTry } from "../models-to-try";

/** The same question in each client library. */
export const firstCall = (baseUrl: string, { chat, messages }: ModelsToTry): Sample[] => [
  {
    name: "curl",
    text: `curl ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer $GW_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${chat}", "messages": [{"role": "user", "content": "Say hello."}]}'`,
  },
  {
    name: "Chat SDK, TypeScript",
    text: `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${baseUrl}/v1",
  apiKey: process.env.GW_KEY,
});

const answer = await client.chat.completions.create({
  model: "${chat}",
  messages: [{ role: "user", content: "Say hello." }],
});
console.log(answer.choices[0].message.content);`,
  },
  {
    name: "Chat SDK, Python",
    text: `import os
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}/v1", api_key=os.environ["GW_KEY"])

answer = client.chat.completions.create(
    model="${chat}",
    messages=[{"role": "user", "content": "Say hello."}],
)
print(answer.choices[0].message.content)`,
  },
  {
    name: "Messages SDK",
    text: `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({
  baseURL: "${baseUrl}",
  apiKey: process.env.GW_KEY,
});

const message = await client.messages.create({
  model: "${messages}",
  max_tokens: 256,
  messages: [{ role: "user", content: "Say hello." }],
});
console.log(message.content);`,
  },
  {
    name: "AI SDK",
    text: `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText } from "ai";

const gw = createOpenAICompatible({
  name: "gw",
  baseURL: "${baseUrl}/v1",
  apiKey: process.env.GW_KEY,
});

const { text } = await generateText({ model: gw("${chat}"), prompt: "Say hello." });
console.log(text);`,
  },
  {
    name: "LangChain",
    text: `import { ChatOpenAI } from "@langchain/openai";

const model = new ChatOpenAI({
  model: "${chat}",
  apiKey: process.env.GW_KEY,
  configuration: { baseURL: "${baseUrl}/v1" },
});
console.log((await model.invoke("Say hello.")).content);`,
  },
];
