/** How much a model reads and writes at most, in tokens. */
export type Limits = { contextTokens: number; maxOutputTokens: number };

/** A model of which nobody has said how much it reads. */
const USUAL_CONTEXT_TOKENS = 131_072;

/** What the vendors publish, by how a model's name begins behind the vendor's; the first that fits counts. */
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
 * The limits of a model by its name, and by what the price catalogue says of its window. Where nobody has said how much a
 * model writes it is as much as it reads: what is held for a call is then rather too much than too little.
 */
export function limitsOf(id: string, contextWindow: number | undefined): Limits {
  const name = id.slice(id.lastIndexOf("/") + 1);
  const contextTokens = contextWindow ?? firstOf(CONTEXT, name) ?? USUAL_CONTEXT_TOKENS;
  return { contextTokens, maxOutputTokens: Math.min(firstOf(OUTPUT, name) ?? contextTokens, contextTokens) };
}

const firstOf = (table: readonly (readonly [RegExp, number])[], name: string) =>
  table.find(([pattern]) => pattern.test(name))?.[1];
