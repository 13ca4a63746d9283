import { CatalogueDraft } from "./draft";
import { isObject, type JsonObject, textOrNull } from "./reading";

/** Channel types that gw can call, by number: `constant/channel.go` of QuantumNous/new-api; one-api uses the same. */
const TYPES: Readonly<Record<number, { provider: string; path?: string }>> = {
  1: { provider: "openai", path: "/v1" },
  3: { provider: "azure", path: "/openai/v1" },
  4: { provider: "ollama", path: "/v1" },
  8: { provider: "self-hosted", path: "/v1" },
  14: { provider: "anthropic", path: "/v1" },
  20: { provider: "openrouter", path: "/v1" },
  24: { provider: "gemini", path: "/v1beta/openai" },
  25: { provider: "moonshot", path: "/v1" },
  27: { provider: "perplexity" },
  34: { provider: "cohere", path: "/compatibility/v1" },
  40: { provider: "siliconflow", path: "/v1" },
  42: { provider: "mistral", path: "/v1" },
  43: { provider: "deepseek", path: "/v1" },
  48: { provider: "xai", path: "/v1" },
};
const ENABLED = 1;

/**
 * Converts the channels of new-api or one-api, from its API or a table dump, to a catalogue file: each channel with its
 * models, names and order. Uses list prices, because the source has only quota ratios.
 * @throws Error if the text is not such a list
 */
export function fromNewApi(text: string): CatalogueDraft {
  const channels = channelsIn(JSON.parse(text.replace(/^\ufeff/, "")));
  const highest = Math.max(0, ...channels.map(({ priority }) => Number(priority) || 0));
  const draft = new CatalogueDraft();
  for (const channel of channels) addChannel(draft, channel, highest);
  return draft;
}

/** A list, or one inside `data` or `data.items`. */
function channelsIn(parsed: unknown): JsonObject[] {
  const data = isObject(parsed) ? parsed.data : parsed;
  const list = isObject(data) ? data.items : data;
  if (!Array.isArray(list) || !list.every(isObject)) throw new Error("The file has no list of channels.");
  return list;
}

function addChannel(draft: CatalogueDraft, channel: JsonObject, highest: number): void {
  const place = `channel ${channel.id ?? "?"} (${textOrNull(channel.name) ?? "without a name"})`;
  const type = TYPES[Number(channel.type)];
  if (type === undefined) {
    draft.skip(place, `gw does not know channels of the type ${channel.type}`);
    return;
  }
  if (channel.status !== undefined && channel.status !== ENABLED) {
    draft.skip(place, "it is switched off");
    return;
  }
  const keys = (textOrNull(channel.key) ?? "").split("\n").filter((key) => key.trim() !== "");
  if (keys.length === 0) draft.remark(`${place}: the list has no key; write it into the file`);
  const mapping = mappingOf(channel.model_mapping);
  const models = (textOrNull(channel.models) ?? "").split(",").map((name) => name.trim());
  const base = textOrNull(channel.base_url)?.replace(/\/+$/, "") ?? null;
  for (const model of models.filter((name) => name !== ""))
    for (const apiKey of keys.length === 0 ? [null] : keys)
      draft.add(
        {
          model,
          upstream: mapping.get(model) ?? model,
          provider:
            base !== null && type.provider === "openai" && !base.includes("api.openai.com")
              ? "self-hosted"
              : type.provider,
          baseUrl: base === null ? null : `${base}${type.path ?? ""}`,
          apiKey: apiKey?.trim() ?? null,
          capability: "chat",
          price: {},
          contextTokens: null,
          maxOutputTokens: null,
          // The source tries the highest number first, gw the lowest.
          priority: Math.min(1_000, highest - (Number(channel.priority) || 0) + 1),
          weight: Math.max(1, Number(channel.weight) || 1),
        },
        `${place} ${model}`,
      );
}

function mappingOf(written: unknown): ReadonlyMap<string, string> {
  try {
    const parsed: unknown = typeof written === "string" ? JSON.parse(written) : written;
    return new Map(Object.entries(isObject(parsed) ? parsed : {}).map(([from, to]) => [from, String(to)]));
  } catch {
    return new Map();
  }
}
