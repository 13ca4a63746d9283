import type { Usage } from "../../canonical/usage";
import { isObject } from "../wire/events/reading";

/**
 * Reads `usage` of a Converse answer; null if it is missing or invalid. The supplier's `inputTokens` excludes tokens
 * read from or written to the cache; gw's count includes them.
 */
export function readConverseUsage(wire: unknown): Usage | null {
  if (!isObject(wire)) return null;
  const fresh = count(wire.inputTokens);
  const outputTokens = count(wire.outputTokens);
  const cachedInputTokens = count(wire.cacheReadInputTokens ?? 0);
  const cacheWriteTokens = count(wire.cacheWriteInputTokens ?? 0);
  if (fresh < 0 || outputTokens < 0 || cachedInputTokens < 0 || cacheWriteTokens < 0) return null;
  const inputTokens = fresh + cachedInputTokens + cacheWriteTokens;
  const usage: Usage = { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens: 0 };
  const long = longWrites(wire.cacheDetails);
  if (long < 0 || long > cacheWriteTokens) return null;
  if (long > 0) usage.cacheWriteLongTokens = long;
  return usage;
}

/** Returns the tokens written to the cache for an hour, from the list of writes by lifetime; -1 if invalid. */
function longWrites(details: unknown): number {
  if (!Array.isArray(details)) return 0;
  const long = details.filter(isObject).filter(({ ttl }) => ttl === "1h");
  const counts = long.map(({ inputTokens }) => count(inputTokens));
  return counts.includes(-1) ? -1 : counts.reduce((sum, tokens) => sum + tokens, 0);
}

/** Returns a token count; -1 for any other value. */
const count = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : -1;
