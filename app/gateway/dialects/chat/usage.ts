import type { Usage } from "../../canonical/usage";
import { reportedUsesIn } from "../wire/billed-tools";
import { isObject, type JsonObject } from "../wire/events/reading";

/** `usage` of chat-style suppliers; all other fields are ignored. */
type WireUsage = {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  total_tokens?: unknown;
  /** Names of the same two counts at suppliers that use them in all their formats. */
  input_tokens?: unknown;
  output_tokens?: unknown;
  prompt_tokens_details?: { audio_tokens?: unknown } | null;
  completion_tokens_details?: { reasoning_tokens?: unknown; audio_tokens?: unknown } | null;
  /** US dollars, reported by aggregators. */
  cost?: unknown;
};

/** Members with the tokens read from the cache, and with those written to it. */
const CACHED: readonly Place[] = [
  ["prompt_tokens_details", "cached_tokens"],
  ["input_tokens_details", "cached_tokens"],
  ...["prompt_cache_hit_tokens", "cached_tokens", "num_cached_tokens", "cache_read_input_tokens"].map(alone),
];
const WRITTEN: readonly Place[] = [
  ["prompt_tokens_details", "cache_write_tokens"],
  ["prompt_tokens_details", "cache_creation_tokens"],
  ["prompt_tokens_details", "cache_creation_input_tokens"],
  ["cache_creation_input_tokens"],
];

type Place = readonly [string] | readonly [string, string];
function alone(name: string): Place {
  return [name];
}

/** Returns the maximum count of several members, because some suppliers leave one at zero; -1 if any is invalid. */
function countAt(usage: JsonObject, places: readonly Place[]): number {
  let maximum = 0;
  for (const [name, inner] of places) {
    const member = usage[name];
    const value = inner === undefined ? member : isObject(member) ? member[inner] : null;
    if (value == null) continue;
    const reported = count(value);
    if (reported < 0) return -1;
    if (reported > maximum) maximum = reported;
  }
  return maximum;
}

/**
 * Reads the usage of a chat-style answer; null if it is missing or invalid (negative, fractional, or parts larger than
 * their total). Invalid usage is replaced by an estimate.
 */
export function readChatUsage(wire: unknown): Usage | null {
  if (typeof wire !== "object" || wire === null) return null;
  const { input_tokens, output_tokens, total_tokens, prompt_tokens_details, completion_tokens_details } =
    wire as WireUsage;
  const { prompt_tokens = input_tokens, completion_tokens = output_tokens } = wire as WireUsage;
  // Usage of the prompt alone does not mean zero output.
  if (completion_tokens == null && total_tokens == null) return null;
  const inputTokens = count(prompt_tokens);
  const reported = count(completion_tokens ?? 0);
  // Some suppliers count thinking only in the total, but bill it as output.
  const outputTokens = reported < 0 ? reported : Math.max(reported, count(total_tokens ?? 0) - inputTokens);
  const cachedInputTokens = countAt(wire as JsonObject, CACHED);
  const cacheWriteTokens = countAt(wire as JsonObject, WRITTEN);
  const reasoningTokens = count(completion_tokens_details?.reasoning_tokens ?? 0);
  if (inputTokens < 0 || outputTokens < 0 || cachedInputTokens < 0 || cacheWriteTokens < 0 || reasoningTokens < 0)
    return null;
  if (cachedInputTokens + cacheWriteTokens > inputTokens) return null;
  const usage: Usage = { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens };
  const audioInputTokens = count(prompt_tokens_details?.audio_tokens ?? 0);
  const audioOutputTokens = count(completion_tokens_details?.audio_tokens ?? 0);
  const toolUses = reportedUsesIn(wire as Record<string, unknown>) ?? 0;
  if (audioInputTokens < 0 || audioOutputTokens < 0 || toolUses < 0) return null;
  if (audioInputTokens > inputTokens || audioOutputTokens > outputTokens) return null;
  if (audioInputTokens > 0) usage.audioInputTokens = audioInputTokens;
  if (audioOutputTokens > 0) usage.audioOutputTokens = audioOutputTokens;
  if (toolUses > 0) usage.toolUses = toolUses;
  const supplierCostNanoUsd = nanoUsdOf((wire as WireUsage).cost);
  if (supplierCostNanoUsd !== null) usage.supplierCostNanoUsd = supplierCostNanoUsd;
  return usage;
}

/** Returns the usage of a chunk or answer: at the top, or where some suppliers put it, in `x_groq` or in a choice. */
export function usageIn(wire: { usage?: unknown; x_groq?: unknown; choices?: unknown }): unknown {
  if (wire.usage != null) return wire.usage;
  if (isObject(wire.x_groq) && wire.x_groq.usage != null) return wire.x_groq.usage;
  return Array.isArray(wire.choices)
    ? wire.choices.find((choice) => isObject(choice) && choice.usage != null)?.usage
    : null;
}

/** Removes the operator's cost from `usage`, because clients must not see it. Null if it has none. */
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

/** Returns a token count; -1 for any other value. */
const count = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : -1;
