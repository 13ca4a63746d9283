import { TimeSlice } from "~/values/time-slice";

const TOKEN = /\s?[\p{L}\p{M}\p{N}_]{1,6}|\s?[^\s\p{L}\p{M}\p{N}_]|\s/gu;

/** Maximum characters counted per request, so that counting does not take seconds. */
const COUNTED_CHARACTERS = 100_000;
/** Characters per token assumed for uncounted text. */
const USUAL_CHARACTERS = 4;

/**
 * Splits a text into the sandbox's tokens: up to six letters or digits with the white space before them, or one other
 * character. Joined they are the text.
 */
export const tokensOf = (text: string): string[] => text.match(TOKEN) ?? [];

/** Counts the tokens of a request's texts: exactly up to a limit, then by length. */
export class TokenCount {
  #left = COUNTED_CHARACTERS;

  of(text: string): number {
    const counted = text.slice(0, this.#left);
    this.#left -= counted.length;
    if (text === "") return 0;
    if (counted === "") return Math.ceil(text.length / USUAL_CHARACTERS);
    return Math.ceil((tokensOf(counted).length * text.length) / counted.length);
  }
}

/** Returns the number of tokens of a text. */
export const countTokens = (text: string): number => new TokenCount().of(text);

/** Writes a list as JSON without blocking the event loop. */
export async function jsonOf(list: readonly unknown[]): Promise<string> {
  const slice = new TimeSlice();
  const parts: string[] = [];
  for (const item of list) {
    parts.push(JSON.stringify(item));
    if (slice.isOver) await slice.next();
  }
  return `[${parts.join(",")}]`;
}

/** Splits a text into words, each with the white space before it: the content of one stream event. */
export const wordsOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];
