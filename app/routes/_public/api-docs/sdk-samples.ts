import type { Sample } from "../parts/CodeChoice";

/** Returns calls of an operation with the client libraries; empty if none supports it. */
export function sdkSamples(baseUrl: string, method: string, path: string): Sample[] {
  return SAMPLES[`${method} ${path}`]?.map(({ name, text }) => ({ name, text: withClient(name, baseUrl, text) })) ?? [];
}

function withClient(name: string, baseUrl: string, text: string): string {
  const client = CLIENTS[name];
  return client ? `${client.replace("{base}", baseUrl)}\n\n${text}` : text;
}

const CLIENTS: Readonly<Record<string, string>> = {
  "Chat SDK, TypeScript": `import OpenAI from "openai";
const client = new OpenAI({ baseURL: "{base}/v1", apiKey: process.env.GW_KEY });`,
  "Chat SDK, Python": `import os
from openai import OpenAI
client = OpenAI(base_url="{base}/v1", api_key=os.environ["GW_KEY"])`,
  "Messages SDK, TypeScript": `import Anthropic from "@anthropic-ai/sdk";
const client = new Anthropic({ baseURL: "{base}", apiKey: process.env.GW_KEY });`,
  "Messages SDK, Python": `import os
from anthropic import Anthropic
client = Anthropic(base_url="{base}", api_key=os.environ["GW_KEY"])`,
  "Rerank SDK": `import { CohereClient } from "cohere-ai";
const client = new CohereClient({ environment: "{base}", token: process.env.GW_KEY });`,
};

const ts = (text: string): Sample => ({ name: "Chat SDK, TypeScript", text });
const python = (text: string): Sample => ({ name: "Chat SDK, Python", text });

const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  "GET /v1/models": [
    ts('for await (const model of client.models.list({ query: { object: "list" } })) console.log(model.id);'),
  ],
  "POST /v1/chat/completions": [
    ts(`const answer = await client.chat.completions.create({
  model: "sandbox-chat",
  messages: [{ role: "user", content: "Say hello." }],
});`),
    python(`answer = client.chat.completions.create(
    model="sandbox-chat",
    messages=[{"role": "user", "content": "Say hello."}],
)`),
  ],
  "POST /v1/completions": [
    ts(`const { choices } = await client.completions.create({
  model: "sandbox-chat",
  prompt: "Say hello.",
  max_tokens: 64,
});`),
    python(`choices = client.completions.create(
    model="sandbox-chat",
    prompt="Say hello.",
    max_tokens=64,
).choices`),
  ],
  "POST /v1/responses": [
    ts(`const response = await client.responses.create({
  model: "sandbox-chat",
  input: "Say hello.",
});
console.log(response.output_text);`),
    python(`response = client.responses.create(
    model="sandbox-chat",
    input="Say hello.",
)`),
  ],
  "POST /v1/messages": [
    {
      name: "Messages SDK, TypeScript",
      text: `const message = await client.messages.create({
  model: "sandbox-messages",
  max_tokens: 64,
  messages: [{ role: "user", content: "Say hello." }],
});`,
    },
    {
      name: "Messages SDK, Python",
      text: `message = client.messages.create(
    model="sandbox-messages",
    max_tokens=64,
    messages=[{"role": "user", "content": "Say hello."}],
)`,
    },
  ],
  "POST /v1/messages/count_tokens": [
    {
      name: "Messages SDK, TypeScript",
      text: `const { input_tokens } = await client.messages.countTokens({
  model: "sandbox-messages",
  messages: [{ role: "user", content: "Say hello." }],
});`,
    },
  ],
  "POST /v1/embeddings": [
    ts(`const { data } = await client.embeddings.create({
  model: "sandbox-embed",
  input: ["first text", "second text"],
});`),
    python(`data = client.embeddings.create(
    model="sandbox-embed",
    input=["first text", "second text"],
).data`),
  ],
  "POST /v1/rerank": [
    {
      name: "Rerank SDK",
      text: `const { results } = await client.rerank({
  model: "sandbox-rerank",
  query: "capital of France",
  documents: ["Paris is a city.", "Cats sleep."],
});`,
    },
  ],
  "POST /v1/moderations": [
    ts(`const { results } = await client.moderations.create({
  model: "sandbox-moderation",
  input: "I like this park.",
});`),
  ],
  "POST /v1/images/generations": [
    ts(`const { data } = await client.images.generate({
  model: "sandbox-image",
  prompt: "A lighthouse at dusk",
  size: "1024x1024",
});
await fs.promises.writeFile("lighthouse.png", Buffer.from(data[0].b64_json, "base64"));`),
  ],
  "POST /v1/images/edits": [
    ts(`const { data } = await client.images.edit({
  model: "sandbox-image",
  image: fs.createReadStream("lighthouse.png"),
  prompt: "The same at night",
});
await fs.promises.writeFile("night.png", Buffer.from(data[0].b64_json, "base64"));`),
  ],
  "POST /v1/audio/speech": [
    ts(`const sound = await client.audio.speech.create({
  model: "sandbox-tts",
  voice: "alloy",
  input: "Good morning.",
});
await fs.promises.writeFile("morning.mp3", Buffer.from(await sound.arrayBuffer()));`),
  ],
  "POST /v1/audio/transcriptions": [
    ts(`const { text } = await client.audio.transcriptions.create({
  model: "sandbox-whisper",
  file: fs.createReadStream("morning.wav"),
});`),
  ],
  "POST /v1/audio/translations": [
    ts(`const { text } = await client.audio.translations.create({
  model: "sandbox-whisper",
  file: fs.createReadStream("morning.wav"),
});`),
  ],
};
