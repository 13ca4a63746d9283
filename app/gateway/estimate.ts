import { setImmediate as turn } from "node:timers/promises";

type Tokenizer = {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
  clearMergeCache(): void;
};

let tokenizer: Tokenizer | null = null;

/** Longer texts are counted by this much of their beginning, in proportion. */
const COUNTED_CHARACTERS = 400_000;
/** The tokenizer's time grows with the square of a run without a break, so it never sees a longer piece than this. */
const SLICE_CHARACTERS = 1_000;
/** The process belongs to the other requests again after this much counting. */
const MOST_MS_AT_ONCE = 10;
/** What looks like a control token in a text is text. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/**
 * How many tokens a text has by the o200k vocabulary: gw's own count, used only where a supplier reported none and
 * where a limit says so. Counting stops at the first figure above `enough`. The vocabulary (about 2 MB) is loaded on
 * first use.
 */
export async function countTokens(text: string, enough = Number.POSITIVE_INFINITY): Promise<number> {
  if (text === "") return 0;
  tokenizer ??= (await import("gpt-tokenizer/encoding/o200k_base")) as Tokenizer;
  const counted = text.slice(0, COUNTED_CHARACTERS);
  let tokens = 0;
  let since = performance.now();
  for (let at = 0; at < counted.length && tokens <= enough; ) {
    const end = sliceEnd(counted, at);
    tokens += tokenizer.countTokens(counted.slice(at, end), AS_TEXT);
    at = end;
    if (performance.now() - since < MOST_MS_AT_ONCE) continue;
    await turn();
    since = performance.now();
  }
  // The tokenizer remembers rare words, and each of them is a part of its text that keeps the whole text in memory.
  tokenizer.clearMergeCache();
  return text.length <= COUNTED_CHARACTERS ? tokens : Math.ceil((tokens * text.length) / COUNTED_CHARACTERS);
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
