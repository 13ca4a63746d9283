import { calcPrice, findProvider, type ModelPrice, type TieredPrices } from "@pydantic/genai-prices";
import type { FilePrice } from "../file-schema";
import type { Capability } from "../shared";
import { type Limits, limitsOf } from "./limits";
import type { Preset } from "./presets";
import { priceSnapshot } from "./price-list";
import { listedTiers } from "./tier-prices";

/** A model of a provider with its list price, as the price catalogue has it. */
export type ListedModel = {
  apiName: string;
  capability: Capability;
  price: FilePrice;
  lifecycle?: "deprecated";
} & Limits;

/** The models of a provider that its API answers for and that have a price, at a moment. */
export function listedModels(preset: Preset, at: Date): ListedModel[] {
  if (preset.prices === null) return [];
  const names = findProvider({ providerId: preset.prices })?.models.flatMap(({ id, deprecated }) =>
    deprecated ? [] : (preset.apiName(id) ?? []),
  );
  return [...new Set(names)].flatMap((name) => listedModel(preset, name, at) ?? []);
}

/** The price of one model by the name that the provider's API has for it; null: the catalogue has none. */
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
  const found = calcPrice({ input_tokens: 0 }, apiName, { providerId: prices, timestamp: at });
  const price = found && filePriceOf(found.model_price);
  if (!found || !price) return null;
  const capability = price.output_per_mtok === undefined ? "embedding" : "chat";
  const tiers = listedTiers(preset, apiName, price);
  const priced = tiers === undefined ? price : { ...price, tiers };
  const limits = limitsOf(apiName, found.model.context_window);
  const fate = found.model.deprecated ? ({ lifecycle: "deprecated" } as const) : {};
  const listed = { apiName, capability, price: priced, ...limits, ...fate } as const;
  if (!Array.isArray(found.model.prices)) always.set(key, listed);
  return listed;
}

/** What holds at every moment: the package looks for a name among hundreds of patterns, and prices are asked for every minute. */
const always = new Map<string, ListedModel>();
let alwaysOf = priceSnapshot();

/** The prices per million tokens that a call's length can change, by their names here and there. */
const BY_LENGTH = {
  input_per_mtok: "input_mtok",
  output_per_mtok: "output_mtok",
  cached_input_per_mtok: "cache_read_mtok",
  cache_write_per_mtok: "cache_write_mtok",
  cache_write_1h_per_mtok: "cache_write_1h_mtok",
} as const;

/** A price of the catalogue in gw's terms; null where it has no price for text. */
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

/** US dollars as nano-USD. What has more than nine decimals is rounded up; what a float adds to a decimal is not. */
const nanoUsd = (usd: number): bigint => BigInt(Math.ceil(Number((usd * 1e9).toFixed(3))));
