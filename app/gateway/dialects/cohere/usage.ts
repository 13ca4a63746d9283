import type { Usage } from "../../canonical/usage";
import { isObject } from "../wire/events/reading";

/**
 * Reads `usage` of a `/v2/chat` answer; null if it is missing or invalid. `billed_units` has the billed counts;
 * `tokens` also counts the text that Cohere adds to a prompt.
 */
export function readCohereUsage(wire: unknown): Usage | null {
  if (!isObject(wire)) return null;
  const counted = isObject(wire.billed_units) ? wire.billed_units : wire.tokens;
  if (!isObject(counted)) return null;
  const inputTokens = count(counted.input_tokens);
  const outputTokens = count(counted.output_tokens);
  const cached = count(wire.cached_tokens ?? 0);
  if (inputTokens < 0 || outputTokens < 0 || cached < 0) return null;
  // The cached count refers to all tokens, not only to billed ones.
  const cachedInputTokens = Math.min(cached, inputTokens);
  return { inputTokens, cachedInputTokens, cacheWriteTokens: 0, outputTokens, reasoningTokens: 0 };
}

/** Returns a token count; -1 for any other value. */
const count = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : -1;
