import { randomInt } from "node:crypto";

// Without 0, 1, I, L, O and U: none of these is mistaken for another, and chance writes no words.
const LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH = 10;

/** A code that nobody can guess: 30 to the power of 10 are possible. */
export const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");

/** What somebody typed, as codes are stored; null for what no code can be. */
export function codeOf(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, "");
  return code.length === CODE_LENGTH && [...code].every((letter) => LETTERS.includes(letter)) ? code : null;
}

/** A code as people read and pass it on. */
export const shownCode = (code: string): string => `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
