import { TimeSlice } from "~/time-slice";

type Tokenizer = {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
  clearMergeCache(): void;
};

let tokenizer: Tokenizer | null = null;

/** So much of a request is counted, in however many texts it comes: at worst a second of work. */
const COUNTED_CHARACTERS = 200_000;
/** Of a longer text this many places are counted, spread evenly over it. */
const SAMPLES = 100;
/** The tokenizer's time grows with the square of a run without a break, so it never sees a longer piece than this. */
const SLICE_CHARACTERS = 250;
/** What looks like a control token in a text is text. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** No token of the vocabulary has more characters. */
export const MAX_TOKEN_CHARACTERS = 128;

/** Counts the tokens of the texts of one request, as far as its budget reaches. */
export class TokenBudget {
  #characters = COUNTED_CHARACTERS;
  readonly #slice = new TimeSlice();

  /**
   * How many tokens a text has; counting stops at the first figure above `enough`, and does not begin where the text is
   * too long for fewer. Null, and nothing is counted any more, once the request has used up what is counted of it.
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
    // The tokenizer remembers rare words, and each of them is a part of its text that keeps the whole text in memory.
    tokenizer.clearMergeCache();
    return this.#characters < 0 ? null : tokens;
  }
}

/**
 * How many tokens a text has by the o200k vocabulary: gw's own count, used only where a supplier reported none. A long
 * text is judged by samples of it.
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

/** Where a slice may end: before a blank that follows a word, where tokens end too; else at its full length. */
function sliceEnd(text: string, from: number): number {
  const most = from + SLICE_CHARACTERS;
  if (most >= text.length) return text.length;
  for (let at = most; at > from; at -= 1) {
    if (text.charCodeAt(at) === BLANK && isWord(text.charCodeAt(at - 1))) return at;
  }
  return most;
}

const BLANK = 32;

/** Letters of the Latin alphabet and everything beyond ASCII; good enough to find a place between two words. */
const isWord = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code > 0xff;
