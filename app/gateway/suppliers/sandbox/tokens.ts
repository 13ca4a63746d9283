import { TimeSlice } from "~/time-slice";

const TOKEN = /\s?[\p{L}\p{M}\p{N}_]{1,6}|\s?[^\s\p{L}\p{M}\p{N}_]|\s/gu;

/** So much of a request is counted, in however many texts: counting is for prices and must not cost seconds. */
const COUNTED_CHARACTERS = 100_000;
/** What is not counted is taken to have a token for so many characters. */
const USUAL_CHARACTERS = 4;

/**
 * The sandbox's tokens: up to six letters or digits with the white space before them, or one other character. Their
 * concatenation is the text.
 */
export const tokensOf = (text: string): string[] => text.match(TOKEN) ?? [];

/** Counts the tokens of one request's texts: exactly as far as its budget reaches, then by their length. */
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

/** How many tokens a text has. */
export const countTokens = (text: string): number => new TokenCount().of(text);

/** A list as JSON, without holding up the process however long it is. */
export async function jsonOf(list: readonly unknown[]): Promise<string> {
  const slice = new TimeSlice();
  const parts: string[] = [];
  for (const item of list) {
    parts.push(JSON.stringify(item));
    if (slice.isOver) await slice.next();
  }
  return `[${parts.join(",")}]`;
}

/** A text in words, each with the white space before it: what one event of a stream carries. */
export const wordsOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];
