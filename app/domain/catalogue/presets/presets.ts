import type { ProviderName } from "~/config/provider-keys";
import type { BatchOffer, OutputField, SupplierKind } from "../shared";

/** A provider that gw knows: where it is, which API of it gw speaks, and which models that API answers for. */
export type Preset = {
  kind: SupplierKind;
  /** With the version path; null: each customer has an own one. */
  baseUrl: string | null;
  /** Names of hosts that are its customers'; absent: none is known. */
  hosts?: RegExp;
  /** Its name in the price catalogue; null: it charges nothing. */
  prices: string | null;
  /** Whose list has the prices of its tiers of service; absent: nobody's. */
  tiers?: "openai" | "google";
  /** Where its chat requests state the most output; absent: `max_tokens`. */
  outputField?: OutputField;
  /** It takes the responses format for all of these models; absent: it does not, or not for all. */
  responses?: true;
  /** How it takes batches; absent: gw does not know of any. */
  batch?: BatchOffer;
  /** What `owned_by` of its models says; null: what stands before the slash in a model's name. */
  ownedBy: string | null;
  /** The name that the provider's API has for a model of the price catalogue; null: this API does not answer for it. */
  apiName(id: string): string | null;
};

/** What every provider's chat completions and embeddings do not answer for. */
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
    // Completions of text, fine-tunings, and what is served by the responses API alone.
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
    // The list has Vertex AI's other models, too.
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
  // What a resource serves are its deployments, which only its owner knows.
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
    // The others are reached by names of a region's own, which a list of models can have.
    apiName: (id) => BEDROCK[id] ?? (ON_DEMAND.test(id) ? id : null),
  },
  vertex: {
    kind: "vertex",
    baseUrl: null,
    prices: "google",
    ownedBy: "google",
    apiName: all(/^(?!gemini-)|^gemini-(1\.|2\.0|pro|flash-1|embedding)/),
  },
  // It lists what has been pulled.
  ollama: { kind: "chat", baseUrl: null, prices: null, ownedBy: "ollama", apiName: none },
};

/** The provider that a supplier has the address or the name of; undefined: none that gw knows. */
export function providerOf({ name, baseUrl }: { name: string; baseUrl: string }): Preset | undefined {
  const host = hostOf(baseUrl);
  const isProvider = ([provider, preset]: [string, Preset]) =>
    provider === name ||
    (preset.baseUrl !== null && hostOf(preset.baseUrl) === host) ||
    (host !== null && preset.hosts?.test(host) === true);
  return Object.entries(PRESETS).find(isProvider)?.[1];
}

const hostOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).host : null);

/** What an account calls by the name in the list, without a profile of its own. */
const ON_DEMAND =
  /^(amazon\.nova-(micro|lite|pro)-v|mistral\.(mistral-(large|small)|ministral|magistral)|openai\.gpt-oss-(?!safeguard)|qwen\.|google\.gemma|nvidia\.|global\.anthropic\.\S+-\d{8}-v\d+:0$)/;

/** Profiles whose names are not those of the list. */
const BEDROCK: Readonly<Record<string, string>> = {
  "global.anthropic.claude-opus-4-5-v1:0": "global.anthropic.claude-opus-4-5-20251101-v1:0",
  "global.anthropic.claude-opus-4-6-v1:0": "global.anthropic.claude-opus-4-6-v1",
  "global.anthropic.claude-sonnet-4-6-v1:0": "global.anthropic.claude-sonnet-4-6",
};

/** The API has dated names only. */
const COHERE: Readonly<Record<string, string>> = {
  "command-a": "command-a-03-2025",
  "command-r": "command-r-08-2024",
  "command-r-plus": "command-r-plus-08-2024",
  "command-r7b": "command-r7b-12-2024",
  "embed-v4.0": "embed-v4.0",
};
