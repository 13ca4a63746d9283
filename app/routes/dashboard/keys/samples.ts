/** Sample code for a first call. `kind` is a key of the texts. */
export type KeySample = { kind: "chat" | "messages" | "native" | "curl"; text: string };

/** Models of the samples; null: none is available, so the user must insert one. */
export type SampleModels = { chat: string | null; messages: string | null; native: string | null };

/** Returns samples that work with a key, one for each client. They read the secret from the environment. */
export function samplesFor(baseUrl: string, models: SampleModels): KeySample[] {
  return [
    { kind: "chat", text: chat(baseUrl, models.chat ?? YOUR_MODEL) },
    { kind: "messages", text: messages(baseUrl, models.messages ?? YOUR_MODEL) },
    { kind: "native", text: native(baseUrl, models.native ?? YOUR_MODEL) },
    { kind: "curl", text: curlWith(baseUrl, models.chat, "$GW_KEY") },
  ];
}

const YOUR_MODEL = "your-model";

/** A command in one line. */
export const curlWith = (
  baseUrl: string,
  model: string | null,
  secret: string,
): string => `curl ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer ${secret}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": ${JSON.stringify(model ?? YOUR_MODEL)}, "messages": [{"role": "user", "content": "Say hello."}]}'`;

const chat = (baseUrl: string, model: string) => `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}/v1", apiKey: process.env.GW_KEY });

const answer = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: [{ role: "user", content: "Say hello." }],
});
console.log(answer.choices[0].message.content);`;

const messages = (baseUrl: string, model: string) => `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${baseUrl}", apiKey: process.env.GW_KEY });

const message = await client.messages.create({
  model: ${JSON.stringify(model)},
  max_tokens: 256,
  messages: [{ role: "user", content: "Say hello." }],
});
console.log(message.content);`;

const native = (baseUrl: string, model: string) => `# ~/.codex/config.toml
model = ${JSON.stringify(model)}
model_provider = "gw"

[model_providers.gw]
name = "gw"
base_url = "${baseUrl}/v1/vendorb"
env_key = "GW_KEY"
wire_api = "responses"`;
