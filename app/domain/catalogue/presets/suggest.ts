import type { FilePrice } from "../file-schema";
import type { Capability } from "../shared";
import { PRESETS, type Preset } from "./presets";
import { listedModel } from "./price-catalogue";

/** What a model of a provider is and costs by the list: amounts are nano-USD. */
export type SuggestedPrice = {
  price: FilePrice;
  capability: Capability;
  contextTokens: number;
  maxOutputTokens: number;
};

/** The list price of a supplier's model, where it has the address or the name of a provider with list prices; null: there is none. */
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
  if (listed === null) return null;
  const { price, capability, contextTokens, maxOutputTokens } = listed;
  return { price, capability, contextTokens, maxOutputTokens };
}

const hostOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).host : null);
