import { RE2JS, RE2JSException } from "re2js";
import type { Matcher } from "./matcher";
import { estimatedSize } from "./pattern-size";

/** A pattern's match of at most so many characters is found whole. */
const MAX_MATCH_LENGTH = 160;
/** Instructions of a compiled pattern: what bounds the work for each character. */
const MAX_PROGRAM_SIZE = 500;

/**
 * A pattern that is estimated above that is not compiled, to find out that it is too large: compiling takes a third of a
 * millisecond for each hundred. More than ten times the largest program, because what begins alike is joined.
 */
const MAX_ESTIMATED_SIZE = 5_000;

export type PatternFault = "syntax" | "tooLarge" | "matchesNothing";

/**
 * A regular expression in RE2's syntax, in whatever case: time grows with the length of the text and with nothing else, whatever the
 * pattern. Returns what is wrong with it where it cannot be used.
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
  } catch (problem) {
    if (problem instanceof RE2JSException) return "syntax";
    throw problem;
  }
}

/**
 * The same pattern without what looks at the edges of words, lines and texts: it matches wherever the pattern does in any part
 * of a text. Where that cannot be said of it, an empty pattern, which matches everywhere.
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
      // A bracket that comes first in a class is one of its characters, and `[:name:]` is a class inside.
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

/**
 * Whether a new pattern is not even to be compiled. Those that are stored were compiled once, and are read whatever is estimated.
 */
export const isTooLargeToTry = (pattern: string): boolean => estimatedSize(pattern) > MAX_ESTIMATED_SIZE;
