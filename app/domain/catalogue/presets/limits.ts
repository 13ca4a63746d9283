/** Maximum tokens that a model reads and writes. */
export type Limits = { contextTokens: number; maxOutputTokens: number };

/** Context window in tokens for models without a published one. */
const USUAL_CONTEXT_TOKENS = 131_072;

/** Published output limits by the start of a model's name without its vendor; the first match counts. */
const OUTPUT: readonly (readonly [RegExp, number])[] = [
  [/^gpt-3\.5|^gpt-4-turbo|^gpt-4$/, 4_096],
  [/^gpt-4\.1/, 32_768],
  [/^gpt-(4o|audio)/, 16_384],
  [/^gpt-[5-9]/, 128_000],
  [/^o[1-9]/, 100_000],
  [/^claude-3-(opus|haiku|sonnet)/, 4_096],
  [/^claude-3[.-]5/, 8_192],
  [/^claude-opus-4([.-][01])?$/, 32_000],
  [/^claude-/, 64_000],
  [/^gemini-2\.0/, 8_192],
  [/^gemini-/, 65_536],
];
const CONTEXT: readonly (readonly [RegExp, number])[] = [[/^gemini-/, 1_048_576]];

/**
 * Returns the limits of a model by its name, and by its context window in the price catalogue. If the output limit is
 * unknown, it equals the window, so that a hold is too large rather than too small.
 */
export function limitsOf(id: string, contextWindow: number | undefined): Limits {
  const name = id.slice(id.lastIndexOf("/") + 1);
  const contextTokens = contextWindow ?? firstOf(CONTEXT, name) ?? USUAL_CONTEXT_TOKENS;
  return { contextTokens, maxOutputTokens: Math.min(firstOf(OUTPUT, name) ?? contextTokens, contextTokens) };
}

const firstOf = (table: readonly (readonly [RegExp, number])[], name: string) =>
  table.find(([pattern]) => pattern.test(name))?.[1];
