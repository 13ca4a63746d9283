import type { ProviderName } from "~/config/provider-keys";
import type { BatchOffer, OutputField, SupplierKind } from "../shared";

/** A provider that gw knows: its address, the API that gw uses, and the models of that API. */
export type Preset = {
  kind: SupplierKind;
  /** Includes the version path; null: each customer has its own address. */
  baseUrl: string | null;
  /** Host names of its customers; absent: none known. */
  hosts?: RegExp;
  /** Its name in the price catalogue; null: it is free of charge. */
  prices: string | null;
  /** Source of its tier prices; absent: none. */
  tiers?: "openai" | "google";
  /** Field for the maximum output in its chat requests; absent: `max_tokens`. */
  outputField?: OutputField;
  /** It accepts the responses format for all of these models; absent: for none, or not for all. */
  responses?: true;
  /** Batch support; absent: none that gw knows. */
  batch?: BatchOffer;
  /** Value of `owned_by` of its models; null: the part of the model's name before the slash. */
  ownedBy: string | null;
  /** Returns the provider's API name of a model in the price catalogue; null: this API does not serve it. */
  apiName(id: string): string | null;
};

/** Models that no provider serves by chat completions or embeddings. */
const OTHER_MEDIA = /tts|transcribe|whisper|realtime|live|image|voice|omni|moderation|ocr|vision|guard|:free$/;
const all = (but: RegExp) => (id: string) => (OTHER_MEDIA.test(id) || but.test(id) ? null : id);
const none = () => null;

export const PRESETS: Readonly<Record<ProviderName, Preset>> = {
  openai: {
    kind: "chat",
    baseUrl: "https://api.openai.com/v1",
    prices: "openai",
    tiers: "openai",
    outputField: "max_completion_tokens",
    responses: true,
    batch: { protocol: "openai", priceMillionths: 500_000 },
    ownedBy: "openai",
    // Text completions, fine-tuned models, and models of the responses API only.
    apiName: all(
      /^(ada|babbage|curie|davinci|text-davinci|ft:|chatgpt|o1-)|\.ft-|instruct|-16k|-32k|-\d{4}$|preview|codex|computer-use|deep-research|search|-pro$|:extended|gpt-oss|gpt-4\.5/,
    ),
  },
  anthropic: {
    kind: "messages",
    baseUrl: "https://api.anthropic.com/v1",
    prices: "anthropic",
    batch: { protocol: "anthropic", priceMillionths: 500_000 },
    ownedBy: "anthropic",
    apiName: all(/^claude-(\d|v)/),
  },
  gemini: {
    kind: "chat",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    prices: "google",
    tiers: "google",
    ownedBy: "google",
    // The price catalogue also has other models of Vertex AI.
    apiName: all(/^(?!gemini-)|^gemini-(1\.|pro|flash-1)/),
  },
  mistral: {
    kind: "chat",
    baseUrl: "https://api.mistral.ai/v1",
    prices: "mistral",
    ownedBy: "mistral",
    apiName: (id) => {
      if (OTHER_MEDIA.test(id) || /instruct|-tiny|-2312|mistral-7b|mixtral|saba|-3-[15]$|ministral-3b$/.test(id))
        return null;
      return /-(latest|\d{4}|embed)$/.test(id) ? id : `${id}-latest`;
    },
  },
  groq: {
    kind: "chat",
    baseUrl: "https://api.groq.com/openai/v1",
    prices: "groq",
    outputField: "max_completion_tokens",
    ownedBy: null,
    apiName: all(/^(gemma|llama2|llama3-|mixtral|mistral-saba|deepseek-r1)|preview|specdec|405b|3\.1-70b/),
  },
  deepseek: {
    kind: "chat",
    baseUrl: "https://api.deepseek.com/v1",
    prices: "deepseek",
    ownedBy: "deepseek",
    apiName: all(/-v3\./),
  },
  xai: {
    kind: "chat",
    baseUrl: "https://api.x.ai/v1",
    prices: "x-ai",
    outputField: "max_completion_tokens",
    ownedBy: "xai",
    apiName: all(/^grok-2|multi-agent/),
  },
  cohere: {
    kind: "cohere",
    baseUrl: "https://api.cohere.com/v2",
    hosts: /^api\.cohere\.ai$/,
    prices: "cohere",
    ownedBy: "cohere",
    apiName: (id) => COHERE[id] ?? null,
  },
  openrouter: {
    kind: "aggregator",
    baseUrl: "https://openrouter.ai/api/v1",
    prices: "openrouter",
    ownedBy: null,
    apiName: (id) => (/^[^~/]+\//.test(id) ? all(/-(audio|embedding)/)(id) : null),
  },
  // The models of a resource are its deployments, which only its owner knows.
  azure: {
    kind: "chat",
    baseUrl: null,
    hosts: /\.(openai\.azure|cognitiveservices\.azure|services\.ai\.azure)\.com$/,
    prices: "azure",
    outputField: "max_completion_tokens",
    ownedBy: "openai",
    apiName: none,
  },
  bedrock: {
    kind: "bedrock",
    baseUrl: null,
    prices: "aws",
    ownedBy: null,
    // Other models have region-specific names, which the file can list under `models`.
    apiName: (id) => BEDROCK[id] ?? (ON_DEMAND.test(id) ? id : null),
  },
  vertex: {
    kind: "vertex",
    baseUrl: null,
    prices: "google",
    ownedBy: "google",
    apiName: all(/^(?!gemini-)|^gemini-(1\.|2\.0|pro|flash-1|embedding)/),
  },
  // The server itself lists its pulled models.
  ollama: { kind: "chat", baseUrl: null, prices: null, ownedBy: "ollama", apiName: none },
};

/** Returns the provider that matches a supplier's address or name; undefined: none that gw knows. */
export function providerOf({ name, baseUrl }: { name: string; baseUrl: string }): Preset | undefined {
  const host = hostOf(baseUrl);
  const isProvider = ([provider, preset]: [string, Preset]) =>
    provider === name ||
    (preset.baseUrl !== null && hostOf(preset.baseUrl) === host) ||
    (host !== null && preset.hosts?.test(host) === true);
  return Object.entries(PRESETS).find(isProvider)?.[1];
}

const hostOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).host : null);

/** Models that every account calls by their listed name, without an inference profile of its own. */
const ON_DEMAND =
  /^(amazon\.nova-(micro|lite|pro)-v|mistral\.(mistral-(large|small)|ministral|magistral)|openai\.gpt-oss-(?!safeguard)|qwen\.|google\.gemma|nvidia\.|global\.anthropic\.\S+-\d{8}-v\d+:0$)/;

/** Inference profiles with names that differ from the price catalogue. */
const BEDROCK: Readonly<Record<string, string>> = {
  "global.anthropic.claude-opus-4-5-v1:0": "global.anthropic.claude-opus-4-5-20251101-v1:0",
  "global.anthropic.claude-opus-4-6-v1:0": "global.anthropic.claude-opus-4-6-v1",
  "global.anthropic.claude-sonnet-4-6-v1:0": "global.anthropic.claude-sonnet-4-6",
};

/** The API accepts only dated names. */
const COHERE: Readonly<Record<string, string>> = {
  "command-a": "command-a-03-2025",
  "command-r": "command-r-08-2024",
  "command-r-plus": "command-r-plus-08-2024",
  "command-r7b": "command-r7b-12-2024",
  "embed-v4.0": "embed-v4.0",
};
