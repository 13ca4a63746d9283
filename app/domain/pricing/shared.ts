export type { PriceLine } from "./explain-price";
export type { AskedTier, UsageBounds } from "./price-usage";
