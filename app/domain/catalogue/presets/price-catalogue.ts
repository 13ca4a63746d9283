import { calcPrice, findProvider, type ModelPrice, type TieredPrices } from "@pydantic/genai-prices";
import type { FilePrice } from "../file/file-schema";
import type { Capability } from "../shared";
import { type Limits, limitsOf } from "./limits";
import type { Preset } from "./presets";
import { priceSnapshot } from "./price-list";
import { listedTiers } from "./tier-prices";

/** A provider's model with its list price from the price catalogue. */
export type ListedModel = {
  apiName: string;
  capability: Capability;
  price: FilePrice;
  lifecycle?: "deprecated";
} & Limits;

/** Returns the models that the provider's API serves and that have a price at a time. */
export function listedModels(preset: Preset, at: Date): ListedModel[] {
  if (preset.prices === null) return [];
  const names = findProvider({ providerId: preset.prices })?.models.flatMap(({ id, deprecated }) =>
    deprecated ? [] : (preset.apiName(id) ?? []),
  );
  return [...new Set(names)].flatMap((name) => listedModel(preset, name, at) ?? []);
}

/** Returns the list price of a model by its API name; null: the price catalogue has none. */
export function listedModel(preset: Preset, apiName: string, at: Date): ListedModel | null {
  const { prices } = preset;
  if (prices === null) return null;
  const key = `${prices}/${preset.tiers ?? ""}/${apiName}`;
  if (alwaysOf !== priceSnapshot()) {
    always.clear();
    alwaysOf = priceSnapshot();
  }
  const known = always.get(key);
  if (known !== undefined) return known;
  const match = calcPrice({ input_tokens: 0 }, apiName, { providerId: prices, timestamp: at });
  const price = match && filePriceOf(match.model_price);
  if (!match || !price) return null;
  const capability = price.output_per_mtok === undefined ? "embedding" : "chat";
  const tiers = listedTiers(preset, apiName, price);
  const priced = tiers === undefined ? price : { ...price, tiers };
  const limits = limitsOf(apiName, match.model.context_window);
  const fate = match.model.deprecated ? ({ lifecycle: "deprecated" } as const) : {};
  const listed = { apiName, capability, price: priced, ...limits, ...fate } as const;
  if (!Array.isArray(match.model.prices)) always.set(key, listed);
  return listed;
}

/**
 * Models with a price that does not depend on the time. The package matches a name against hundreds of patterns, and
 * prices are read every minute.
 */
const always = new Map<string, ListedModel>();
let alwaysOf = priceSnapshot();

/** Prices per million tokens that may depend on the length of a call: gw's names and the package's. */
const BY_LENGTH = {
  input_per_mtok: "input_mtok",
  output_per_mtok: "output_mtok",
  cached_input_per_mtok: "cache_read_mtok",
  cache_write_per_mtok: "cache_write_mtok",
  cache_write_1h_per_mtok: "cache_write_1h_mtok",
} as const;

/** Converts a price of the price catalogue; null if it has no price for text. */
export function filePriceOf(listed: ModelPrice): FilePrice | null {
  if (listed.input_mtok === undefined) return null;
  const at = (length: number) =>
    Object.fromEntries(
      Object.entries(BY_LENGTH).flatMap(([ours, theirs]) => {
        const price = listed[theirs];
        return price === undefined ? [] : [[ours, nanoUsd(priceAt(price, length))]];
      }),
    ) as Pick<FilePrice, keyof typeof BY_LENGTH>;
  const lengths = [...new Set(Object.values(BY_LENGTH).flatMap((name) => startsOf(listed[name])))];
  const per = (name: string, many: number) => {
    const price = listed[name];
    return price === undefined ? undefined : nanoUsd(priceAt(price, 0) / many);
  };
  return {
    ...at(0),
    audio_input_per_mtok: per("input_audio_mtok", 1),
    audio_output_per_mtok: per("output_audio_mtok", 1),
    per_tool_use: per("web_searches_kcount", 1_000),
    per_request: per("requests_kcount", 1_000),
    ...(lengths.length === 0
      ? {}
      : { long_context: lengths.toSorted((a, b) => a - b).map((start) => longer(start, at)) }),
  };
}

function longer(start: number, at: (length: number) => Pick<FilePrice, keyof typeof BY_LENGTH>) {
  const { input_per_mtok = 0n, output_per_mtok = 0n, ...others } = at(start + 1);
  return { above_input_tokens: start, input_per_mtok, output_per_mtok, ...others };
}

const startsOf = (price: number | TieredPrices | undefined): number[] =>
  typeof price === "object" ? price.tiers.map(({ start }) => start) : [];

const priceAt = (price: number | TieredPrices, length: number): number =>
  typeof price === "number" ? price : (price.tiers.findLast(({ start }) => length > start)?.price ?? price.base);

/** Converts US dollars to nano-USD. Rounds up after nine decimals, without the error of the float. */
const nanoUsd = (usd: number): bigint => BigInt(Math.ceil(Number((usd * 1e9).toFixed(3))));
