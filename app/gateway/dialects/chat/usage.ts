import type { Usage } from "../../canonical/usage";

/** `usage` as chat-style suppliers write it; all other fields are ignored. */
type WireUsage = {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  prompt_tokens_details?: { cached_tokens?: unknown; cache_write_tokens?: unknown } | null;
  completion_tokens_details?: { reasoning_tokens?: unknown } | null;
};

/**
 * Usage from a chat-style answer, or null when it carries none or nonsense (negative, fractional, parts larger than
 * their whole): what is nonsense is estimated, never believed.
 */
export function readChatUsage(wire: unknown): Usage | null {
  if (typeof wire !== "object" || wire === null) return null;
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = wire as WireUsage;
  const inputTokens = count(prompt_tokens);
  const outputTokens = count(completion_tokens ?? 0);
  const cachedInputTokens = count(prompt_tokens_details?.cached_tokens ?? 0);
  const cacheWriteTokens = count(prompt_tokens_details?.cache_write_tokens ?? 0);
  const reasoningTokens = count(completion_tokens_details?.reasoning_tokens ?? 0);
  if (inputTokens < 0 || outputTokens < 0 || cachedInputTokens < 0 || cacheWriteTokens < 0 || reasoningTokens < 0)
    return null;
  if (cachedInputTokens + cacheWriteTokens > inputTokens) return null;
  return { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens };
}

/** A token count, or -1 for anything that is not one. */
const count = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : -1;
