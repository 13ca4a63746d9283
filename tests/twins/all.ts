import { ACCESS_KEY } from "../support/stand-in-bedrock";
import { messagesApi } from "./families/anthropic";
import { NEWER, OLDER } from "./families/anthropic-models";
import { converseApi } from "./families/bedrock";
import { cohereApi } from "./families/cohere";
import { deepseekApi } from "./families/deepseek";
import { cerebrasApi, groqApi, xaiApi } from "./families/fast-hosts";
import { generateContentApi } from "./families/gemini";
import { geminiCompatible } from "./families/gemini-compatible";
import { llamaApi, ollamaApi, vllmApi } from "./families/local";
import { mistralApi } from "./families/mistral";
import { moonshotApi } from "./families/moonshot";
import { plainChat, thinkingChat } from "./families/openai-chat";
import { responsesApi } from "./families/openai-responses";
import { openrouterApi } from "./families/openrouter";
import type { Api, Twin } from "./twin";

const key = (api_key: string) => ({ credentials: [{ name: "main", api_key }] });
const preset = (name: string) => ({ preset: name, models: [], ...key("sk-of-a-twin") });
/** A preset that gw recognises by its name, because the host here is local. */
const named = (name: string) => ({ ...preset(name), name });
const kind = (name: string) => ({ kind: name, ...key("sk-of-a-twin") });
const bedrock = { preset: "bedrock", models: [], region: "eu", ...key(ACCESS_KEY) };

/** An API with its key in the header `api-key` and a version in the address. */
const likeAzure = (api: Api): Api => ({
  ...api,
  path: /^\/openai\/deployments\/[^/]+\/chat\/completions$/,
  rules: [
    {
      rule: "the key stands in api-key, and the version in the address",
      source: "https://learn.microsoft.com/en-us/azure/foundry/openai/reference",
      date: "2026-06",
      check: (_body, _memory, { request, query }) => {
        if (request.headers["api-key"] === undefined)
          return {
            status: 401,
            message: "Access denied due to invalid subscription key or wrong API endpoint.",
            code: "401",
          };
        return query.has("api-version") ? undefined : { status: 404, message: "Resource not found", code: "404" };
      },
    },
    ...api.rules,
  ],
});

/** One stand-in for each vendor and model with rules of its own. */
export const TWINS: readonly Twin[] = [
  {
    name: "openai",
    base: "/v1",
    model: "gpt-5.6",
    supplier: { ...preset("openai"), responses: true },
    apis: [thinkingChat, responsesApi],
  },
  { name: "openai-plain", base: "/v1", model: "gpt-4.1", supplier: preset("openai"), apis: [plainChat] },
  {
    name: "azure",
    base: "/openai/deployments/{model}",
    model: "prod-main",
    supplier: { ...preset("azure"), query: { "api-version": "2024-10-21" } },
    // The name of a deployment does not identify its model.
    route: { profile: "openai/gpt-5.6" },
    apis: [likeAzure(thinkingChat)],
  },
  {
    name: "anthropic",
    base: "/v1",
    model: "claude-sonnet-5",
    supplier: preset("anthropic"),
    apis: [messagesApi(NEWER)],
    seals: "claude",
  },
  {
    name: "anthropic-older",
    base: "/v1",
    model: "claude-haiku-4-5",
    supplier: preset("anthropic"),
    apis: [messagesApi(OLDER)],
    seals: "claude",
  },
  {
    name: "bedrock-claude",
    base: "",
    model: "us.anthropic.claude-opus-4-8",
    supplier: bedrock,
    apis: [converseApi("newerClaude")],
    seals: "claude",
  },
  {
    name: "bedrock-claude-older",
    base: "",
    model: "eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
    supplier: bedrock,
    apis: [converseApi("olderClaude")],
    seals: "claude",
  },
  {
    name: "bedrock-nova",
    base: "",
    model: "us.amazon.nova-2-lite-v1:0",
    supplier: bedrock,
    apis: [converseApi("nova")],
  },
  { name: "bedrock-gpt", base: "", model: "us.openai.gpt-5.6-sol", supplier: bedrock, apis: [converseApi("gpt")] },
  {
    name: "bedrock-gpt-oss",
    base: "",
    model: "openai.gpt-oss-120b-1:0",
    supplier: bedrock,
    apis: [converseApi("gptOss")],
  },
  {
    name: "gemini",
    base: "/v1beta",
    model: "gemini-3-pro-preview",
    supplier: { ...kind("gemini"), name: "google" },
    apis: [generateContentApi],
    seals: "gemini",
  },
  {
    name: "gemini-compatible",
    base: "/v1beta/openai",
    model: "gemini-3-pro-preview",
    supplier: named("gemini"),
    apis: [geminiCompatible],
    seals: "gemini",
  },
  { name: "mistral", base: "/v1", model: "mistral-medium-latest", supplier: preset("mistral"), apis: [mistralApi] },
  { name: "deepseek", base: "/v1", model: "deepseek-v4-pro", supplier: preset("deepseek"), apis: [deepseekApi] },
  { name: "groq", base: "/openai/v1", model: "openai/gpt-oss-120b", supplier: preset("groq"), apis: [groqApi] },
  { name: "cerebras", base: "/v1", model: "gpt-oss-120b", supplier: kind("chat"), apis: [cerebrasApi] },
  { name: "xai", base: "/v1", model: "grok-4-0709", supplier: preset("xai"), apis: [xaiApi] },
  { name: "moonshot", base: "/v1", model: "kimi-k2.6", supplier: kind("chat"), apis: [moonshotApi] },
  { name: "vllm", base: "/v1", model: "Qwen/Qwen3.5-32B", supplier: kind("chat"), apis: [vllmApi] },
  { name: "ollama", base: "/v1", model: "qwen3.5:32b", supplier: preset("ollama"), apis: [ollamaApi] },
  { name: "llama-cpp", base: "/v1", model: "qwen3.5-9b-q8_0", supplier: kind("chat"), apis: [llamaApi] },
  {
    name: "openrouter",
    base: "/api/v1",
    model: "google/gemini-3-pro-preview",
    supplier: preset("openrouter"),
    apis: [openrouterApi],
  },
  { name: "cohere", base: "/v2", model: "command-a-reasoning-08-2025", supplier: preset("cohere"), apis: [cohereApi] },
];
