import type { OfferedModel } from "../../canonical/exchange";

type Entry = Readonly<Record<string, unknown>>;

/** Reads an entry of an aggregator's list: names, limits, capabilities, and prices as decimal dollars per token. */
export function readModel(entry: Entry): Omit<OfferedModel, "id"> {
  const pricing = object(entry.pricing);
  const provider = object(entry.top_provider);
  return {
    name: typeof entry.name === "string" ? entry.name : null,
    contextTokens: count(entry.context_length) ?? count(provider.context_length),
    maxOutputTokens: count(provider.max_completion_tokens),
    tools: lists(entry.supported_parameters, "tools"),
    images: lists(object(entry.architecture).input_modalities, "image"),
    inputPerMtok: perMtok(pricing.prompt),
    outputPerMtok: perMtok(pricing.completion),
    cachedInputPerMtok: perMtok(pricing.input_cache_read),
  };
}

const object = (value: unknown): Entry => (typeof value === "object" && value !== null ? (value as Entry) : {});
const count = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null;
const lists = (value: unknown, name: string): boolean | null => (Array.isArray(value) ? value.includes(name) : null);

/** Negative prices mean "it depends". */
function perMtok(dollars: unknown): bigint | null {
  const number = typeof dollars === "string" && dollars.trim() !== "" ? Number(dollars) : dollars;
  return typeof number === "number" && number >= 0 && number < 1 ? BigInt(Math.round(number * 1e15)) : null;
}
