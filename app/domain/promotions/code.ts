import { randomInt } from "node:crypto";

// Without 0, 1, I, L and O, which are easily confused, and without U, so that no words appear by chance.
const LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH = 10;

/** Creates a random code, one of 30^10. */
export const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");

/** Normalises a typed code to its stored form; null: it cannot be a code. */
export function codeOf(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, "");
  return code.length === CODE_LENGTH && [...code].every((letter) => LETTERS.includes(letter)) ? code : null;
}

/** Formats a code for people. */
export const shownCode = (code: string): string => `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
