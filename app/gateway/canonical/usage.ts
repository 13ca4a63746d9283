import type { ServiceTier } from "~/domain/catalogue/shared";

/**
 * What a supplier says it did, in its own units. Every count is a non-negative integer.
 * `inputTokens` includes the cached ones; `outputTokens` includes the reasoning ones.
 */
export type Usage = {
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** Of the tokens written to a cache: those kept for an hour; absent: none. */
  cacheWriteLongTokens?: number;
  /** Of the input and of the output: tokens of sound; absent: none. */
  audioInputTokens?: number;
  audioOutputTokens?: number;
  /** Searches and other tools that the supplier ran itself and bills one by one; absent: none. */
  toolUses?: number;
  /** Sound that was heard; absent: none. */
  milliseconds?: number;
  /** Text that was spoken, in code points; absent: none. */
  characters?: number;
  /** What the supplier counts as requests, where one of ours is several of its own; absent: one. */
  requests?: number;
  /** The tier of service that answered, where that has a price of its own somewhere; absent: the ordinary one. */
  serviceTier?: ServiceTier;
  /** What the supplier says it charges for it, in nano-USD. Compared and never billed; absent: not said. */
  supplierCostNanoUsd?: bigint;
};

export const NO_USAGE: Usage = Object.freeze({
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
});

/** Where the token counts of a usage row come from. */
export type TokenSource = "supplier" | "checkpoint" | "estimated";
