import type { Usage } from "../../canonical/usage";
import { isObject } from "../wire/reading";

/**
 * `usage` of a `/v2/chat` answer, or null when it carries none or nonsense. What is billed stands in `billed_units`; `tokens`
 * counts what Cohere itself puts around a prompt, too.
 */
export function readCohereUsage(wire: unknown): Usage | null {
  if (!isObject(wire)) return null;
  const counted = isObject(wire.billed_units) ? wire.billed_units : wire.tokens;
  if (!isObject(counted)) return null;
  const inputTokens = count(counted.input_tokens);
  const outputTokens = count(counted.output_tokens);
  const cached = count(wire.cached_tokens ?? 0);
  if (inputTokens < 0 || outputTokens < 0 || cached < 0) return null;
  // Of all tokens, not of those that are billed.
  const cachedInputTokens = Math.min(cached, inputTokens);
  return { inputTokens, cachedInputTokens, cacheWriteTokens: 0, outputTokens, reasoningTokens: 0 };
}

/** A token count, or -1 for anything that is not one. */
const count = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : -1;
