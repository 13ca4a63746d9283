import type { Route, SupplierKind } from "~/domain/catalogue/shared";
import { asGuarded } from "../../../__fixtures__/guarded";
import type { DialectName, WireName } from "../../../canonical/exchange";
import { chatDialect } from "../../chat";
import { messagesDialect } from "../../messages";
import { responsesDialect } from "../../responses";
import { translatorFor } from "../../translators";
import { aRoute } from "./streams";

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape, looked at by assertions only
export type Json = Record<string, any>;

const hello = { messages: [{ role: "user", content: "hi" }] };
const CLIENTS = {
  chat: { dialect: chatDialect, hello },
  messages: { dialect: messagesDialect, hello: { ...hello, max_tokens: 20_000 } },
  responses: { dialect: responsesDialect, hello: { input: "hi" } },
};
export type ClientName = keyof typeof CLIENTS;

const chat = (baseUrl: string) => ({ kind: "chat" as SupplierKind, wire: "chat" as WireName, baseUrl });
const SUPPLIERS = {
  anthropic: { kind: "messages", wire: "messages", baseUrl: "https://api.anthropic.com/v1" },
  bedrock: { kind: "bedrock", wire: "converse", baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com" },
  gemini: { kind: "gemini", wire: "gemini", baseUrl: "https://generativelanguage.googleapis.com/v1beta" },
  cohere: { kind: "cohere", wire: "cohere", baseUrl: "https://api.cohere.com" },
  compatible: chat("https://generativelanguage.googleapis.com/v1beta/openai"),
  openai: chat("https://api.openai.com/v1"),
  openaiResponses: { ...chat("https://api.openai.com/v1"), wire: "responses" },
  azure: chat("https://res.openai.azure.com/openai/v1"),
  deepseek: chat("https://api.deepseek.com/v1"),
  moonshot: chat("https://api.moonshot.ai/v1"),
  mistral: chat("https://api.mistral.ai/v1"),
  groq: chat("https://api.groq.com/openai/v1"),
  cerebras: chat("https://api.cerebras.ai/v1"),
  zai: chat("https://api.z.ai/api/paas/v4"),
  xai: chat("https://api.x.ai/v1"),
  fireworks: chat("https://api.fireworks.ai/inference/v1"),
  vllm: chat("http://127.0.0.1:8000/v1"),
} as const satisfies Record<string, { kind: SupplierKind; wire: WireName; baseUrl: string }>;
export type SupplierName = keyof typeof SUPPLIERS;

type To = readonly [SupplierName, model: string];
type Sent<Body> = { body: Body; dropped: readonly string[] };

/** Returns the body that a supplier gets for a client's request, and the dropped fields. */
export function sent(client: ClientName, to: To, more: Json): Sent<Json> {
  const { body, dropped } = sentText(client, to, JSON.stringify({ model: "m", ...CLIENTS[client].hello, ...more }));
  return { body: JSON.parse(body), dropped };
}

/** Same for a body as text, with the digits of numbers as written. */
export function sentText(client: ClientName, [supplier, model]: To, text: string): Sent<string> {
  const { kind, wire, baseUrl } = SUPPLIERS[supplier];
  const base = aRoute("chat", model);
  const route: Route = { ...base, supplier: { ...base.supplier, kind, baseUrl } };
  const inference = asGuarded(CLIENTS[client].dialect.read(text));
  const translator = translatorFor(client as DialectName, wire)!;
  return {
    body: translator.forward(inference, route) as string,
    dropped: translator.leftOut?.(inference, route) ?? [],
  };
}
