import type { Amounts } from "../administer-prices-store";
import type { Capability } from "../shared";
import { PRESETS, type Preset } from "./presets";
import { listedModel } from "./price-catalogue";

/** What a model of a provider is and costs by the list: amounts are nano-USD. */
export type SuggestedPrice = {
  amounts: Amounts;
  capability: Capability;
  contextTokens: number;
  maxOutputTokens: number;
};

/**
 * The list price of a supplier's model, where it has the address or the name of a provider with list prices; null: there is
 * none, or it has parts that a price of the portal cannot say.
 */
export function suggestPrice(
  { name, baseUrl }: { name: string; baseUrl: string },
  upstreamModel: string,
  at: Date,
): SuggestedPrice | null {
  const host = hostOf(baseUrl);
  const isProvider = ([provider, preset]: [string, Preset]) =>
    provider === name || (preset.baseUrl !== null && hostOf(preset.baseUrl) === host);
  const preset = Object.entries(PRESETS).find(isProvider)?.[1];
  const listed = preset === undefined ? null : listedModel(preset, upstreamModel, at);
  if (listed === null || listed.price.long_context !== undefined) return null;
  const { price, capability, contextTokens, maxOutputTokens } = listed;
  return {
    ...{ capability, contextTokens, maxOutputTokens },
    amounts: {
      inputPerMtok: price.input_per_mtok ?? 0n,
      outputPerMtok: price.output_per_mtok ?? 0n,
      cachedInputPerMtok: price.cached_input_per_mtok ?? null,
      cacheWritePerMtok: price.cache_write_per_mtok ?? null,
      perRequest: price.per_request ?? 0n,
      perSecond: 0n,
      perMchar: 0n,
    },
  };
}

const hostOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).host : null);
