import { RE2JS, RE2JSException } from "re2js";
import type { Matcher } from "./matcher";
import { estimatedSize } from "./pattern-size";

/** Maximum length in characters of a match that is found as a whole. */
const MAX_MATCH_LENGTH = 160;
/** Maximum instructions of a compiled pattern: bounds the work per character. */
const MAX_PROGRAM_SIZE = 500;

/**
 * Maximum estimated size of a pattern that is compiled to check its size: compilation takes a third of a millisecond
 * per hundred instructions. More than ten times the largest program, because common prefixes are joined.
 */
const MAX_ESTIMATED_SIZE = 5_000;

export type PatternFault = "syntax" | "tooLarge" | "matchesNothing";

/**
 * Compiles a regular expression in RE2's syntax, case-insensitive: its time is linear in the length of the text for
 * every pattern. Returns the fault of a pattern that cannot be used.
 */
export function patternMatcher(pattern: string): Matcher | PatternFault {
  try {
    const exact = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    const weight = exact.programSize();
    if (weight > MAX_PROGRAM_SIZE) return "tooLarge";
    if (exact.matcher("").find()) return "matchesNothing";
    const loose = RE2JS.compile(withoutAssertions(pattern), RE2JS.CASE_INSENSITIVE);
    return {
      longest: MAX_MATCH_LENGTH,
      weight,
      mayMatch: (text) => loose.test(text),
      find(text, from) {
        const matcher = exact.matcher(text);
        for (let at = from; at <= text.length && matcher.find(at); at = matcher.end() + 1)
          if (matcher.end() > matcher.start()) return [matcher.start(), matcher.end()];
        return null;
      },
    };
  } catch (error) {
    if (error instanceof RE2JSException) return "syntax";
    throw error;
  }
}

/**
 * Removes the assertions for edges of words, lines and texts: the result matches wherever the pattern does in any part
 * of a text. If this is not possible, returns an empty pattern, which matches everywhere.
 */
function withoutAssertions(pattern: string): string {
  if (/\\Q/.test(pattern)) return "";
  let out = "";
  let inClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at]!;
    const two = pattern.slice(at, at + 2);
    if (character === "\\") {
      out += !inClass && /^\\[bBAz]$/.test(two) ? "(?:)" : two;
      at += 1;
    } else if (inClass) {
      // A bracket at the start of a class is literal, and `[:name:]` is a nested class.
      if (two === "[:") {
        const close = pattern.indexOf(":]", at + 2);
        if (close >= 0) {
          out += pattern.slice(at, close + 2);
          at = close + 1;
          continue;
        }
      }
      if (character === "]") inClass = false;
      out += character;
    } else if (character === "[") {
      inClass = true;
      const head = /^\[\^?\]?/.exec(pattern.slice(at))![0];
      out += head;
      at += head.length - 1;
    } else out += character === "^" || character === "$" ? "(?:)" : character;
  }
  return out;
}

/** Whether a new pattern is too large to compile. Stored patterns were compiled once, so they are not estimated. */
export const isTooLargeToTry = (pattern: string): boolean => estimatedSize(pattern) > MAX_ESTIMATED_SIZE;
