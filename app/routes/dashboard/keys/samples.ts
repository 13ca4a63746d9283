import type { Model } from "~/domain/catalogue/shared";

/** What a sample needs to know of a key. */
type ForKey = { allowedModels: readonly string[]; allowedRegions: readonly string[] };

/** A piece of code that makes a first call. `kind` is a word of the language files. */
export type KeySample = { kind: "chat" | "messages" | "native" | "curl"; text: string };

/** Calls that work with a key, by the client that makes them. The secret is read from the environment. */
export function samplesFor(baseUrl: string, key: ForKey, models: readonly Model[]): KeySample[] {
  const model = modelFor(key, models);
  const agent = modelFor(key, models, "sandbox-agent");
  return [
    { kind: "chat", text: chat(baseUrl, model) },
    { kind: "messages", text: messages(baseUrl, modelFor(key, models, "sandbox-messages")) },
    { kind: "native", text: native(baseUrl, agent) },
    { kind: "curl", text: curlWith(baseUrl, model, "$GW_KEY") },
  ];
}

/** A chat model that a key may call: the preferred one where it is there, which is the sandbox's and always answers. */
export function modelFor(
  { allowedModels }: Pick<ForKey, "allowedModels">,
  models: readonly Model[],
  preferred = "sandbox-chat",
): string {
  const usable = models.filter(
    ({ id, capability }) => capability === "chat" && (allowedModels.length === 0 || allowedModels.includes(id)),
  );
  return usable.find(({ id }) => id === preferred)?.id ?? usable[0]?.id ?? allowedModels[0] ?? "your-model";
}

/** One line for a terminal. */
export const curlWith = (
  baseUrl: string,
  model: string,
  secret: string,
): string => `curl ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer ${secret}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": ${JSON.stringify(model)}, "messages": [{"role": "user", "content": "Say hello."}]}'`;

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
