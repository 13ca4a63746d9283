import { isScalar, LineCounter, parseDocument } from "yaml";
import type { Capability } from "~/domain/catalogue/shared";
import { decimal, perMillion } from "./amounts";
import { azurePlace, bedrockPlace, vertexPlace } from "./clouds";
import { CatalogueDraft, type Place } from "./draft";
import { isObject, type JsonObject, keyText, textOrNull, wholeOrNull } from "./reading";

/** LiteLLM's provider names that differ from gw's. */
const PROVIDERS: Readonly<Record<string, string>> = {
  azure_text: "azure",
  cohere_chat: "cohere",
  ollama_chat: "ollama",
  text_completion_openai: "openai",
  bedrock_converse: "bedrock",
  vertex_ai: "vertex",
  vertex_ai_beta: "vertex",
};
/** Self-hosted servers: the configuration contains their address. */
const SELF_HOSTED = new Set(["hosted_vllm", "openai_like", "custom_openai", "lm_studio", "llamafile", "xinference"]);

const CAPABILITIES: Readonly<Record<string, Capability>> = {
  chat: "chat",
  completion: "chat",
  responses: "chat",
  embedding: "embedding",
  rerank: "rerank",
  moderation: "moderation",
  image_generation: "image",
  audio_transcription: "transcription",
  audio_speech: "speech",
};

/** LiteLLM's price fields, in US dollars per token. */
const PER_TOKEN: Readonly<Record<string, string>> = {
  input_cost_per_token: "input_per_mtok",
  output_cost_per_token: "output_per_mtok",
  cache_read_input_token_cost: "cached_input_per_mtok",
  cache_creation_input_token_cost: "cache_write_per_mtok",
};

/** Sections that a catalogue file cannot express, with the reason. */
const SECTIONS: Readonly<Record<string, string>> = {
  litellm_settings: "settings of that gateway; gw's are environment variables (docs/configuration.md)",
  general_settings: "settings of that gateway; gw's are environment variables (docs/configuration.md)",
  environment_variables: "set them in gw's environment",
};

/**
 * Converts the `config.yaml` of a LiteLLM proxy to a catalogue file: `model_list` with its prices and limits, and the
 * aliases of `router_settings`. The format: https://docs.litellm.ai/docs/proxy/configs.
 * @throws Error if the text is not such a configuration
 */
export function fromLitellm(text: string): CatalogueDraft {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, intAsBigInt: false });
  if (document.errors.length > 0) throw new Error(document.errors[0]!.message);
  const file: unknown = document.toJS();
  if (!isObject(file) || !Array.isArray(file.model_list)) throw new Error("The file has no model_list.");
  const draft = new CatalogueDraft();
  for (const [index, entry] of file.model_list.entries()) {
    const source = (path: string[]) => {
      const node = document.getIn(["model_list", index, ...path], true);
      return isScalar(node) && typeof node.source === "string" ? node.source : null;
    };
    addDeployment(draft, { entry, source, place: `model_list[${index}]` });
  }
  addRouterSettings(draft, isObject(file.router_settings) ? file.router_settings : {});
  draft.skipSections(file, SECTIONS);
  const fallbacks = isObject(file.litellm_settings) ? file.litellm_settings.fallbacks : null;
  if (fallbacks != null)
    draft.skip("litellm_settings.fallbacks", "another model never answers in place of the one that was asked for");
  return draft;
}

type Entry = { entry: unknown; source: (path: string[]) => string | null; place: string };

function addDeployment(draft: CatalogueDraft, { entry, source, place }: Entry): void {
  const { model_name, litellm_params, model_info } = isObject(entry) ? entry : {};
  const params = isObject(litellm_params) ? litellm_params : {};
  const info = isObject(model_info) ? model_info : {};
  const model = textOrNull(model_name);
  const target = textOrNull(params.model);
  if (model === null || target === null) {
    draft.skip(place, "model_name or litellm_params.model is missing");
    return;
  }
  const named = `${place} (${model})`;
  const { provider, upstream } = split(target, params);
  const mode = textOrNull(info.mode) ?? "chat";
  const capability = CAPABILITIES[mode];
  if (capability === undefined) {
    draft.skip(named, `gw has no endpoint for the mode ${mode}`);
    return;
  }
  const credentials = REFUSED_CREDENTIALS.find((name) => params[name] != null);
  if (credentials !== undefined) {
    draft.skip(named, `gw does not sign in with ${credentials}`);
    return;
  }
  if (provider === "vertex" && !upstream.startsWith("gemini-")) {
    draft.skip(named, "gw asks Vertex AI for Google's own models alone");
    return;
  }
  for (const name of ["rpm", "tpm", "max_parallel_requests", "max_budget", "budget_duration"])
    if (params[name] != null) draft.skip(`${named} ${name}`, "limits are those of keys, people and organisations");
  draft.add(
    {
      model,
      upstream,
      provider,
      capability,
      ...placeOf(provider, params),
      price: priceOf(source),
      contextTokens: wholeOrNull(info.max_input_tokens) ?? wholeOrNull(info.max_tokens),
      maxOutputTokens: wholeOrNull(info.max_output_tokens) ?? wholeOrNull(info.max_tokens),
      retiresAt: textOrNull(info.deprecation_date),
      priority: wholeOrNull(params.order) ?? 1,
      weight: wholeOrNull(params.weight) ?? 1,
    },
    named,
  );
}

const REFUSED_CREDENTIALS = ["aws_role_name", "aws_profile_name", "aws_web_identity_token", "azure_ad_token"];

/** Returns the address and the authentication of a deployment. */
function placeOf(provider: string, params: JsonObject): Place {
  const textOf = (name: string) => keyText(params[name], "os.environ/");
  const address = textOf("api_base") ?? textOf("base_url");
  const apiKey = textOf("api_key");
  if (provider === "azure" && address !== null) {
    const entra = { tenant: textOf("tenant_id"), client: textOf("client_id"), secret: textOf("client_secret") };
    return azurePlace({ endpoint: address, version: textOf("api_version"), apiKey }, entra);
  }
  if (provider === "bedrock")
    return bedrockPlace({
      region: textOf("aws_region_name") ?? regionIn(params.model),
      endpoint: textOf("aws_bedrock_runtime_endpoint") ?? address,
      bearer: apiKey,
      id: textOf("aws_access_key_id"),
      secret: textOf("aws_secret_access_key"),
      session: textOf("aws_session_token"),
    });
  if (provider === "vertex")
    return vertexPlace({
      project: textOf("vertex_project"),
      location: textOf("vertex_location"),
      endpoint: address,
      credentials: textOf("vertex_credentials"),
    });
  return { baseUrl: addressOf(provider, address), apiKey };
}

const BEDROCK_REGION = /^bedrock\/(?:[a-z]+\/)?([a-z]{2}(?:-[a-z]+)+-\d)\//;
const regionIn = (model: unknown): string | null => BEDROCK_REGION.exec(String(model))?.[1] ?? null;

/** Splits `provider/name`; well-known model names may omit the provider. */
function split(
  target: string,
  { custom_llm_provider, api_base, model_id }: JsonObject,
): { provider: string; upstream: string } {
  const providerText = textOrNull(custom_llm_provider);
  const slash = target.indexOf("/");
  const first = slash < 0 ? null : target.slice(0, slash);
  const written = providerText ?? first ?? (target.startsWith("claude") ? "anthropic" : "openai");
  const named = first === written ? target.slice(slash + 1) : target;
  const provider = PROVIDERS[written] ?? written;
  const isOwn = SELF_HOSTED.has(provider) || (provider === "openai" && api_base != null && !isOpenAi(api_base));
  // API paths and a region may precede the model's name.
  const modelName =
    provider === "bedrock"
      ? named.replace(/^(?:(?:converse|invoke|converse_like)\/)?(?:[a-z]{2}(?:-[a-z]+)+-\d\/)?/, "")
      : named;
  return { provider: isOwn ? "self-hosted" : provider, upstream: textOrNull(model_id) ?? modelName };
}

const isOpenAi = (address: unknown): boolean => typeof address === "string" && address.includes("api.openai.com");

/** Adds the version path that gw needs to an address. Variables stay as they are. */
function addressOf(provider: string, written: string | null): string | null {
  if (written === null) return null;
  const address = written.replace(/\/+$/, "");
  return provider === "anthropic" && !/\/v\d+$/.test(address) ? `${address}/v1` : address;
}

function priceOf(source: (path: string[]) => string | null): Record<string, string> {
  const written = (name: string) => source(["litellm_params", name]) ?? source(["model_info", name]);
  const price: Record<string, string> = {};
  for (const [theirs, ours] of Object.entries(PER_TOKEN)) {
    const amount = perMillion(written(theirs));
    if (amount !== null) price[ours] = amount;
  }
  const each = decimal(written("input_cost_per_second"));
  return each === null ? price : { ...price, per_second: each };
}

function addRouterSettings(draft: CatalogueDraft, { model_group_alias, ...others }: JsonObject): void {
  for (const [name, target] of Object.entries(isObject(model_group_alias) ? model_group_alias : {})) {
    const model = isObject(target) ? textOrNull(target.model) : textOrNull(target);
    if (model !== null) draft.alias(name, model);
  }
  for (const name of Object.keys(others))
    draft.skip(`router_settings.${name}`, "gw routes by region, price and health (docs/routing.md)");
}
