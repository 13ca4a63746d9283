import type { Usage } from "../../canonical/usage";
import { toldUsesIn } from "../wire/billed-tools";
import { isObject } from "../wire/reading";

/** `usage` as chat-style suppliers write it; all other fields are ignored. */
type WireUsage = {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  total_tokens?: unknown;
  prompt_tokens_details?: { cached_tokens?: unknown; cache_write_tokens?: unknown; audio_tokens?: unknown } | null;
  completion_tokens_details?: { reasoning_tokens?: unknown; audio_tokens?: unknown } | null;
  /** Cached input as one family of suppliers tells it. */
  prompt_cache_hit_tokens?: unknown;
  /** US dollars, as aggregators tell. */
  cost?: unknown;
};

/**
 * Usage from a chat-style answer, or null when it carries none or nonsense (negative, fractional, parts larger than
 * their whole): what is nonsense is estimated, never believed.
 */
export function readChatUsage(wire: unknown): Usage | null {
  if (typeof wire !== "object" || wire === null) return null;
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = wire as WireUsage;
  const { total_tokens, prompt_cache_hit_tokens } = wire as WireUsage;
  // Who tells of the prompt only has not said that nothing came out.
  if (completion_tokens == null && total_tokens == null) return null;
  const inputTokens = count(prompt_tokens);
  const told = count(completion_tokens ?? 0);
  // Some suppliers leave thinking out of the completion and count it in the total only; it is billed as output all the same.
  const outputTokens = told < 0 ? told : Math.max(told, count(total_tokens ?? 0) - inputTokens);
  const cachedInputTokens = count(prompt_tokens_details?.cached_tokens ?? prompt_cache_hit_tokens ?? 0);
  const cacheWriteTokens = count(prompt_tokens_details?.cache_write_tokens ?? 0);
  const reasoningTokens = count(completion_tokens_details?.reasoning_tokens ?? 0);
  if (inputTokens < 0 || outputTokens < 0 || cachedInputTokens < 0 || cacheWriteTokens < 0 || reasoningTokens < 0)
    return null;
  if (cachedInputTokens + cacheWriteTokens > inputTokens) return null;
  const usage: Usage = { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens };
  const audioInputTokens = count(prompt_tokens_details?.audio_tokens ?? 0);
  const audioOutputTokens = count(completion_tokens_details?.audio_tokens ?? 0);
  const toolUses = toldUsesIn(wire as Record<string, unknown>) ?? 0;
  if (audioInputTokens < 0 || audioOutputTokens < 0 || toolUses < 0) return null;
  if (audioInputTokens > inputTokens || audioOutputTokens > outputTokens) return null;
  if (audioInputTokens > 0) usage.audioInputTokens = audioInputTokens;
  if (audioOutputTokens > 0) usage.audioOutputTokens = audioOutputTokens;
  if (toolUses > 0) usage.toolUses = toolUses;
  const supplierCostNanoUsd = nanoUsdOf((wire as WireUsage).cost);
  if (supplierCostNanoUsd !== null) usage.supplierCostNanoUsd = supplierCostNanoUsd;
  return usage;
}

/** The usage of a chunk or an answer: at its top, or where some suppliers put it, beside a choice or among what is their own. */
export function usageIn(wire: { usage?: unknown; x_groq?: unknown; choices?: unknown }): unknown {
  if (wire.usage != null) return wire.usage;
  if (isObject(wire.x_groq) && wire.x_groq.usage != null) return wire.x_groq.usage;
  return Array.isArray(wire.choices)
    ? wire.choices.find((choice) => isObject(choice) && choice.usage != null)?.usage
    : null;
}

/** What a supplier's work costs the operator is told to nobody else. null: there is nothing of it in this `usage`. */
export function withoutCost(wire: unknown): object | null {
  if (typeof wire !== "object" || wire === null || !("cost" in wire)) return null;
  const { cost: _cost, cost_details: _details, is_byok: _key, ...rest } = wire as Record<string, unknown>;
  return rest;
}

const MAX_USD = 1_000_000;

function nanoUsdOf(usd: unknown): bigint | null {
  if (typeof usd !== "number" || !(usd >= 0 && usd <= MAX_USD)) return null;
  return BigInt(Math.round(usd * 1e9));
}

/** A token count, or -1 for anything that is not one. */
const count = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : -1;
