const TOKEN = /\s?[\p{L}\p{M}\p{N}_]{1,6}|\s?[^\s\p{L}\p{M}\p{N}_]|\s/gu;

/** Longer texts are counted by their beginning, in proportion: counting is for prices and must not cost seconds. */
const COUNTED_CHARACTERS = 100_000;

/**
 * The sandbox's tokens: up to six letters or digits with the white space before them, or one other character. Their
 * concatenation is the text.
 */
export const tokensOf = (text: string): string[] => text.match(TOKEN) ?? [];

/** How many tokens a text has. */
export function countTokens(text: string): number {
  if (text.length <= COUNTED_CHARACTERS) return tokensOf(text).length;
  const counted = tokensOf(text.slice(0, COUNTED_CHARACTERS)).length;
  return Math.ceil((counted * text.length) / COUNTED_CHARACTERS);
}

/** A text in words, each with the white space before it: what one event of a stream carries. */
export const wordsOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];
