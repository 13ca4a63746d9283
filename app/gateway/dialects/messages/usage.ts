import type { Usage } from "../../canonical/usage";
import { reportedUses } from "../wire/billed-tools";
import { atTier } from "../wire/service-tier";

/** `usage` of messages-style suppliers; all other fields are ignored. */
type WireUsage = {
  input_tokens?: unknown;
  output_tokens?: unknown;
  cache_creation_input_tokens?: unknown;
  cache_read_input_tokens?: unknown;
  output_tokens_details?: { thinking_tokens?: unknown } | null;
  /** Cache writes by their lifetime. */
  cache_creation?: { ephemeral_1h_input_tokens?: unknown } | null;
  server_tool_use?: unknown;
  service_tier?: unknown;
  /** Steps of the supplier; the tokens to compact a conversation are reported only here. */
  iterations?: unknown;
};

/**
 * Reads the usage of a messages-style answer; null if it is missing or invalid (negative, fractional, or parts larger
 * than their total). The supplier's `input_tokens` excludes tokens read from or written to the cache; gw's count
 * includes them.
 */
export function readMessagesUsage(wire: unknown): Usage | null {
  const { iterations, service_tier } = (wire ?? {}) as WireUsage;
  const usage = atTier(readTokens(wire), service_tier);
  if (usage === null || !Array.isArray(iterations)) return usage;
  for (const step of iterations) {
    if ((step as { type?: unknown } | null)?.type !== "compaction") continue;
    const more = readTokens(step);
    if (more === null) return null;
    for (const name of COUNTS) usage[name] += more[name];
    if (more.cacheWriteLongTokens !== undefined)
      usage.cacheWriteLongTokens = (usage.cacheWriteLongTokens ?? 0) + more.cacheWriteLongTokens;
  }
  return usage;
}

const COUNTS = ["inputTokens", "cachedInputTokens", "cacheWriteTokens", "outputTokens", "reasoningTokens"] as const;

function readTokens(wire: unknown): Usage | null {
  if (typeof wire !== "object" || wire === null) return null;
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens_details } =
    wire as WireUsage;
  const uncached = count(input_tokens);
  const cacheWriteTokens = count(cache_creation_input_tokens ?? 0);
  const cachedInputTokens = count(cache_read_input_tokens ?? 0);
  const outputTokens = count(output_tokens ?? 0);
  const reasoningTokens = count(output_tokens_details?.thinking_tokens ?? 0);
  if (uncached < 0 || cacheWriteTokens < 0 || cachedInputTokens < 0 || outputTokens < 0 || reasoningTokens < 0)
    return null;
  if (reasoningTokens > outputTokens) return null;
  const inputTokens = uncached + cacheWriteTokens + cachedInputTokens;
  const usage: Usage = { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens };
  return withParts(usage, wire as WireUsage) ? usage : null;
}

/** Adds the counts that few answers have; false if they are invalid. */
function withParts(usage: Usage, { cache_creation, server_tool_use }: WireUsage): boolean {
  const long = count(cache_creation?.ephemeral_1h_input_tokens ?? 0);
  if (long < 0 || long > usage.cacheWriteTokens) return false;
  if (long > 0) usage.cacheWriteLongTokens = long;
  const toolUses = reportedUses(server_tool_use) ?? 0;
  if (toolUses < 0) return false;
  if (toolUses > 0) usage.toolUses = toolUses;
  return true;
}

/** Returns `usage` for a client of the messages dialect. */
export function writeMessagesUsage(usage: Usage): Record<string, unknown> {
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  return {
    input_tokens: inputTokens - cachedInputTokens - cacheWriteTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
    ...(reasoningTokens > 0 ? { output_tokens_details: { thinking_tokens: reasoningTokens } } : {}),
  };
}

/** Returns a token count; -1 for any other value. */
const count = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : -1;

/**
 * Usage of one streamed answer, reported in two pieces: the prompt in the first event, the totals near the end. Later
 * counts replace earlier ones. Missing counts, and zeros other than the output, leave the earlier ones unchanged.
 */
export class MessagesUsageMeter {
  #wire: Record<string, unknown> | null = null;
  #isFinal = false;

  /** Adds `usage` of `message_start`; its output count covers only the first token or two. */
  opening(wire: unknown): void {
    if (typeof wire === "object" && wire !== null) this.#wire = { ...wire };
  }

  /** Adds `usage` of `message_delta`. */
  total(wire: unknown): void {
    if (typeof wire !== "object" || wire === null) return;
    const isNews = ([name, value]: [string, unknown]) =>
      value != null && !(value === 0 && name !== "output_tokens" && this.#wire?.[name]);
    const members = Object.entries(wire).filter(isNews);
    this.#wire = { ...this.#wire, ...Object.fromEntries(members) };
    // Until then the output count covers only the first tokens.
    this.#isFinal ||= members.some(([name]) => name === "output_tokens");
  }

  /** Usage of the whole answer, once reported. */
  get usage(): Usage | null {
    return this.#isFinal ? readMessagesUsage(this.#wire) : null;
  }

  /** Usage of the prompt as far as reported, with zero output. */
  get promptUsage(): Usage | null {
    const usage = readMessagesUsage(this.#wire);
    // Suppliers that do not know the input count yet report none or zero.
    return usage === null || usage.inputTokens === 0 ? null : { ...usage, outputTokens: 0, reasoningTokens: 0 };
  }
}
