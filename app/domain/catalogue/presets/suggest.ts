import type { FilePrice } from "../file/file-schema";
import type { Capability } from "../shared";
import { providerOf } from "./presets";
import { listedModel } from "./price-catalogue";

/** Properties and list price of a provider's model: amounts are nano-USD. */
export type SuggestedPrice = {
  price: FilePrice;
  capability: Capability;
  contextTokens: number;
  maxOutputTokens: number;
};

/**
 * Returns the list price of a supplier's model if the supplier has the address or the name of a provider with list
 * prices; else null.
 */
export function suggestPrice(
  supplier: { name: string; baseUrl: string },
  upstreamModel: string,
  at: Date,
): SuggestedPrice | null {
  const preset = providerOf(supplier);
  const listed = preset === undefined ? null : listedModel(preset, upstreamModel, at);
  if (listed === null) return null;
  const { price, capability, contextTokens, maxOutputTokens } = listed;
  return { price, capability, contextTokens, maxOutputTokens };
}
