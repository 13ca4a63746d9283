import { TimeSlice } from "~/values/time-slice";

type Tokenizer = {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
  clearMergeCache(): void;
};

let tokenizer: Tokenizer | null = null;

/** Maximum characters counted per request, over all its texts: at worst a second of CPU time. */
const COUNTED_CHARACTERS = 200_000;
/** Number of evenly spaced samples counted in a longer text. */
const SAMPLES = 100;
/** Maximum length of a piece for the tokenizer, whose time grows with the square of a run without blanks. */
const SLICE_CHARACTERS = 250;
/** Strings that look like control tokens are counted as ordinary text. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Maximum characters of a token in the vocabulary. */
export const MAX_TOKEN_CHARACTERS = 128;

/** Counts the tokens of a request's texts, up to a total number of characters. */
export class TokenBudget {
  #characters = COUNTED_CHARACTERS;
  readonly #slice = new TimeSlice();

  /**
   * Returns the number of tokens of a text. Counting stops at the first number above `enough`; a text that is too long
   * for `enough` tokens is not counted at all. Returns null when the request's budget of characters is used up.
   */
  async count(text: string, enough = Number.POSITIVE_INFINITY): Promise<number | null> {
    if (text === "") return 0;
    if (text.length > enough * MAX_TOKEN_CHARACTERS) return enough + 1;
    // The vocabulary (about 2 MB) is loaded on first use.
    tokenizer ??= (await import("gpt-tokenizer/encoding/o200k_base")) as Tokenizer;
    let tokens = 0;
    for (let at = 0; at < text.length && tokens <= enough; ) {
      const end = sliceEnd(text, at);
      this.#characters -= end - at;
      if (this.#characters < 0) break;
      tokens += tokenizer.countTokens(text.slice(at, end), AS_TEXT);
      at = end;
      if (this.#slice.isOver) await this.#slice.next();
    }
    // The tokenizer's cache holds substrings of the text, each of which keeps the whole text in memory.
    tokenizer.clearMergeCache();
    return this.#characters < 0 ? null : tokens;
  }
}

/**
 * Counts the tokens of a text by the o200k vocabulary. This is gw's own count, used only if a supplier reported none. A
 * long text is estimated from samples.
 */
export async function countTokens(text: string): Promise<number> {
  const budget = new TokenBudget();
  if (text.length <= COUNTED_CHARACTERS) return (await budget.count(text)) ?? 0;
  const length = COUNTED_CHARACTERS / SAMPLES;
  let tokens = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const at = Math.floor((sample * (text.length - length)) / (SAMPLES - 1));
    tokens += (await budget.count(text.slice(at, at + length))) ?? 0;
  }
  return Math.ceil((tokens * text.length) / COUNTED_CHARACTERS);
}

/** Returns the end of a slice: before a blank after a word, where tokens end too; else at the maximum length. */
function sliceEnd(text: string, from: number): number {
  const end = from + SLICE_CHARACTERS;
  if (end >= text.length) return text.length;
  for (let at = end; at > from; at -= 1) {
    if (text.charCodeAt(at) === BLANK && isWord(text.charCodeAt(at - 1))) return at;
  }
  return end;
}

const BLANK = 32;

/** Latin letters and all characters above U+00FF; sufficient to find a word boundary. */
const isWord = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code > 0xff;
