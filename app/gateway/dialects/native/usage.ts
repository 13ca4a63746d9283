import type { Usage } from "../../canonical/usage";
import { reportedUsesIn } from "../wire/billed-tools";

type WireUsage = {
  input_tokens?: unknown;
  output_tokens?: unknown;
  input_tokens_details?: { cached_tokens?: unknown; cache_write_tokens?: unknown } | null;
  output_tokens_details?: { reasoning_tokens?: unknown } | null;
};

/**
 * Reads the usage of a native agent's response; null if it is missing or invalid (negative, fractional, or parts larger
 * than their total). The input count of this format includes tokens from the cache.
 */
export function readNativeUsage(wire: unknown): Usage | null {
  if (typeof wire !== "object" || wire === null) return null;
  const { input_tokens, output_tokens, input_tokens_details, output_tokens_details } = wire as WireUsage;
  const inputTokens = count(input_tokens);
  const outputTokens = count(output_tokens ?? 0);
  const cachedInputTokens = count(input_tokens_details?.cached_tokens ?? 0);
  const cacheWriteTokens = count(input_tokens_details?.cache_write_tokens ?? 0);
  const reasoningTokens = count(output_tokens_details?.reasoning_tokens ?? 0);
  if (inputTokens < 0 || outputTokens < 0 || cachedInputTokens < 0 || cacheWriteTokens < 0 || reasoningTokens < 0)
    return null;
  if (cachedInputTokens + cacheWriteTokens > inputTokens || reasoningTokens > outputTokens) return null;
  const toolUses = reportedUsesIn(wire as Record<string, unknown>) ?? 0;
  if (toolUses < 0) return null;
  const usage: Usage = { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens };
  if (toolUses > 0) usage.toolUses = toolUses;
  return usage;
}

/** Returns a token count; -1 for any other value. */
const count = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : -1;
