import type { ServiceTier } from "~/domain/catalogue/shared";

/** The parts of a price by their column in a price file, in the order of the form. */
export const PRICE_PARTS = [
  ...(["input_per_mtok", "output_per_mtok", "cached_input_per_mtok", "cache_write_per_mtok"] as const),
  ...(["cache_write_1h_per_mtok", "audio_input_per_mtok", "audio_output_per_mtok", "per_tool_use"] as const),
  ...(["per_request", "per_second", "per_mchar"] as const),
] as const;
export type PricePart = (typeof PRICE_PARTS)[number];

/** The parts of a price for long inputs, and of a service tier. */
export const LONG_PARTS = PRICE_PARTS.slice(0, 5) as ["input_per_mtok", "output_per_mtok", ...LongRest];
export const TIER_PARTS = PRICE_PARTS.slice(0, 7) as [...typeof LONG_PARTS, ...TierRest];
type LongRest = ["cached_input_per_mtok", "cache_write_per_mtok", "cache_write_1h_per_mtok"];
type TierRest = ["audio_input_per_mtok", "audio_output_per_mtok"];

/** Rows of the form for long-input prices. */
export const LONG_ROWS = [1, 2, 3, 4] as const;
export type LongRow = (typeof LONG_ROWS)[number];

type LongPart = (typeof LONG_PARTS)[number];
type TierPart = (typeof TIER_PARTS)[number];
export const longField = <P extends LongPart>(row: LongRow, part: P) => `long_${row}_${part}` as const;
export const tokensField = (row: LongRow) => `long_${row}_above` as const;
export const tierField = <P extends TierPart>(tier: ServiceTier, part: P) => `${tier}_${part}` as const;
export const askedField = (tier: ServiceTier) => `${tier}_asked_only` as const;

export type PriceField =
  | PricePart
  | `long_${LongRow}_${LongPart}`
  | ReturnType<typeof tokensField>
  | `${ServiceTier}_${TierPart}`;
