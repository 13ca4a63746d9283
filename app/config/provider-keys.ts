import { z } from "zod";
import { flag, printable as secret, webAddress } from "./fields";

/** Providers whose variables alone configure a supplier. */
export const PROVIDERS = [
  "openai",
  "anthropic",
  "gemini",
  "mistral",
  "groq",
  "deepseek",
  "xai",
  "cohere",
  "openrouter",
  "azure",
  "bedrock",
  "vertex",
  "ollama",
] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** The environment's settings of one provider. `models`: the enabled models; null: all known ones. */
export type ProviderKey = {
  preset: ProviderName;
  apiKey: string | null;
  /** Path of a file with the key, instead of `apiKey`. */
  keyFile?: string;
  baseUrl: string | null;
  region: string | null;
  models: readonly string[] | null;
};

/** Variables of the providers that need only a key, with the optional variable of their base URL. */
const KEYED = {
  openai: { key: "OPENAI_API_KEY", url: "OPENAI_BASE_URL", title: "OpenAI" },
  anthropic: { key: "ANTHROPIC_API_KEY", url: "ANTHROPIC_BASE_URL", title: "Anthropic" },
  gemini: { key: "GEMINI_API_KEY", url: "GEMINI_BASE_URL", title: "Google Gemini" },
  mistral: { key: "MISTRAL_API_KEY", url: "MISTRAL_BASE_URL", title: "Mistral" },
  groq: { key: "GROQ_API_KEY", url: "GROQ_BASE_URL", title: "Groq" },
  deepseek: { key: "DEEPSEEK_API_KEY", url: "DEEPSEEK_BASE_URL", title: "DeepSeek" },
  xai: { key: "XAI_API_KEY", url: "XAI_BASE_URL", title: "xAI" },
  cohere: { key: "COHERE_API_KEY", url: "COHERE_BASE_URL", title: "Cohere" },
  openrouter: { key: "OPENROUTER_API_KEY", url: "OPENROUTER_BASE_URL", title: "OpenRouter" },
} as const;

const note = (meaning: string, shown = "unset") => ({ meaning, shown });

const baseUrl = webAddress
  .refine((text) => !/[?#@]/.test(text), "must have no user, query or fragment")
  .transform((text) => text.replace(/\/+$/, ""));
const names = z.string().transform((text) =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== ""),
);

const keyOf = (title: string) =>
  secret.optional().meta(note(`Key of ${title}: its models are served at their list prices.`));
const urlOf = (title: string) =>
  baseUrl.optional().meta(note(`Another address for ${title}, with its version path.`, "the provider's own"));

/** Variables that configure suppliers. They apply only without a catalogue file. */
export const providerKeyVariables = {
  OPENAI_API_KEY: keyOf(KEYED.openai.title),
  OPENAI_BASE_URL: urlOf(KEYED.openai.title),
  ANTHROPIC_API_KEY: keyOf(KEYED.anthropic.title),
  ANTHROPIC_BASE_URL: urlOf(KEYED.anthropic.title),
  GEMINI_API_KEY: keyOf(KEYED.gemini.title),
  GEMINI_BASE_URL: urlOf(KEYED.gemini.title),
  MISTRAL_API_KEY: keyOf(KEYED.mistral.title),
  MISTRAL_BASE_URL: urlOf(KEYED.mistral.title),
  GROQ_API_KEY: keyOf(KEYED.groq.title),
  GROQ_BASE_URL: urlOf(KEYED.groq.title),
  DEEPSEEK_API_KEY: keyOf(KEYED.deepseek.title),
  DEEPSEEK_BASE_URL: urlOf(KEYED.deepseek.title),
  XAI_API_KEY: keyOf(KEYED.xai.title),
  XAI_BASE_URL: urlOf(KEYED.xai.title),
  COHERE_API_KEY: keyOf(KEYED.cohere.title),
  COHERE_BASE_URL: urlOf(KEYED.cohere.title),
  OPENROUTER_API_KEY: keyOf(KEYED.openrouter.title),
  OPENROUTER_BASE_URL: urlOf(KEYED.openrouter.title),
  AZURE_OPENAI_API_KEY: secret
    .optional()
    .meta(note("Key of an Azure OpenAI resource; needs `AZURE_OPENAI_BASE_URL` and `AZURE_OPENAI_DEPLOYMENTS`.")),
  AZURE_OPENAI_BASE_URL: baseUrl
    .optional()
    .meta(note("Address of the resource's v1 API, such as `https://example.openai.azure.com/openai/v1`.")),
  AZURE_OPENAI_DEPLOYMENTS: names
    .optional()
    .meta(note("Names of the deployments, comma-separated; each is named after its model.")),
  AWS_BEARER_TOKEN_BEDROCK: secret
    .optional()
    .meta(note("Amazon Bedrock API key: models of its Converse API are served at their list prices.")),
  AWS_ACCESS_KEY_ID: z
    .string()
    .regex(/^\w+$/, "must be letters and digits")
    .optional()
    .meta(note("Access key for Amazon Bedrock instead; needs `AWS_SECRET_ACCESS_KEY` and `AWS_REGION`.")),
  AWS_SECRET_ACCESS_KEY: secret.optional().meta(note("Secret of the access key.")),
  AWS_SESSION_TOKEN: secret.optional().meta(note("Session token, with temporary access keys.")),
  AWS_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, "must be a region such as us-east-1")
    .optional()
    .meta(note("Region of Amazon Bedrock.", "us-east-1 with an API key")),
  BEDROCK_BASE_URL: urlOf("Amazon Bedrock"),
  GOOGLE_APPLICATION_CREDENTIALS: z
    .string()
    .min(1)
    .optional()
    .meta(
      note(
        "File with the JSON key of a service account, for Vertex AI; needs `GOOGLE_CLOUD_PROJECT` and `GOOGLE_CLOUD_LOCATION`.",
      ),
    ),
  GOOGLE_CLOUD_PROJECT: z
    .string()
    .regex(/^[a-z0-9:.-]+$/, "must be the id of a project")
    .optional()
    .meta(note("Project of Vertex AI.")),
  GOOGLE_CLOUD_LOCATION: z
    .string()
    .regex(/^[a-z0-9-]+$/, "must be a location such as europe-west4 or global")
    .optional()
    .meta(note("Location of Vertex AI, such as `global`.")),
  VERTEX_BASE_URL: urlOf("Vertex AI"),
  OLLAMA_BASE_URL: baseUrl
    .optional()
    .meta(
      note("Address of an Ollama server, such as `http://127.0.0.1:11434`: its models are served, free of charge."),
    ),
  GW_PROVIDER_KEYS: flag
    .default(true)
    .meta(note("`false`: the providers' keys in the environment make no suppliers.", "true")),
};

type Values = z.infer<z.ZodObject<typeof providerKeyVariables>>;

/**
 * Returns the providers with a key or an address in the environment, in the order of attempts for a model of several.
 */
export function providerKeysOf(value: Values): ProviderKey[] {
  if (!value.GW_PROVIDER_KEYS) return [];
  const keys: ProviderKey[] = [];
  const plain = { region: null, models: null };
  for (const [preset, { key, url }] of Object.entries(KEYED)) {
    const apiKey = value[key];
    if (apiKey !== undefined)
      keys.push({ preset: preset as keyof typeof KEYED, apiKey, baseUrl: value[url] ?? null, ...plain });
  }
  const { AZURE_OPENAI_API_KEY: azureKey, AZURE_OPENAI_BASE_URL: azureUrl, AZURE_OPENAI_DEPLOYMENTS: models } = value;
  // An Azure resource has its own address and deployments, so both are required.
  if (azureKey !== undefined && azureUrl !== undefined && models !== undefined)
    keys.push({ preset: "azure", apiKey: azureKey, baseUrl: azureUrl, region: null, models });
  const bedrockKey = value.AWS_BEARER_TOKEN_BEDROCK ?? accessKeyOf(value);
  if (bedrockKey !== null) {
    const region = value.AWS_REGION ?? "us-east-1";
    const address = value.BEDROCK_BASE_URL ?? `https://bedrock-runtime.${region}.amazonaws.com`;
    keys.push({ preset: "bedrock", apiKey: bedrockKey, baseUrl: address, region, models: null });
  }
  const vertex = vertexOf(value);
  if (vertex !== null) keys.push(vertex);
  if (value.OLLAMA_BASE_URL !== undefined)
    keys.push({ preset: "ollama", apiKey: null, baseUrl: ollamaApi(value.OLLAMA_BASE_URL), ...plain });
  return keys;
}

/** Vertex AI needs a project and a location too, because other programs also use Google credentials. */
function vertexOf(value: Values): ProviderKey | null {
  const { GOOGLE_APPLICATION_CREDENTIALS: keyFile, GOOGLE_CLOUD_PROJECT: project } = value;
  const location = value.GOOGLE_CLOUD_LOCATION;
  if (keyFile === undefined || project === undefined || location === undefined) return null;
  const host = location === "global" ? "aiplatform.googleapis.com" : `${location}-aiplatform.googleapis.com`;
  const address = value.VERTEX_BASE_URL ?? `https://${host}/v1/projects/${project}/locations/${location}`;
  return { preset: "vertex", apiKey: null, keyFile, baseUrl: address, region: location, models: null };
}

/**
 * Returns an access key in the form of suppliers of the kind bedrock. Without a region the key is ignored, because
 * other programs also use AWS keys.
 */
function accessKeyOf(value: Values): string | null {
  const { AWS_REGION, AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: key, AWS_SESSION_TOKEN: session } = value;
  if (AWS_REGION === undefined || id === undefined || key === undefined) return null;
  return [id, key, ...(session === undefined ? [] : [session])].join(":");
}

/** Adds the path of the chat completions API to the origin of an Ollama server. */
const ollamaApi = (address: string): string => (new URL(address).pathname === "/" ? `${address}/v1` : address);
