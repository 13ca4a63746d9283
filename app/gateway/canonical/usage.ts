import type { ServiceTier } from "~/domain/catalogue/shared";

/**
 * Usage as a supplier reports it, in its own units. Every count is a non-negative integer. `inputTokens` includes the
 * cached tokens, `outputTokens` the reasoning tokens.
 */
export type Usage = {
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** Cache-write tokens that are kept for an hour; absent means none. */
  cacheWriteLongTokens?: number;
  /** Audio tokens of the input and of the output; absent means none. */
  audioInputTokens?: number;
  audioOutputTokens?: number;
  /** Searches and other tools that the supplier ran and bills by use; absent means none. */
  toolUses?: number;
  /** Duration of transcribed sound; absent means none. */
  milliseconds?: number;
  /** Spoken text, in code points; absent means none. */
  characters?: number;
  /** Number of the supplier's own requests, if one of gw's causes several; absent means one. */
  requests?: number;
  /** The service tier that answered, if it can have a price of its own; absent for the standard tier. */
  serviceTier?: ServiceTier;
  /** The cost that the supplier reports, in nano-USD. Only compared, never billed; absent if not reported. */
  supplierCostNanoUsd?: bigint;
};

export const NO_USAGE: Usage = Object.freeze({
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
});

/** Source of the token counts of a usage row. */
export type TokenSource = "supplier" | "checkpoint" | "estimated";
