import { RE2JS } from "re2js";
import { withoutInvisible } from "./fold";
import type { Matcher } from "./matcher";

/** A character of a script without spaces between words. */
const UNDIVIDED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;
/** Unicode white space; RE2's class has only that of ASCII. */
const BLANKS = String.raw`[\s\v\x{85}\pZ]{1,4}`;
const PART_OF_WORD = /^[\p{L}\p{N}_]$/u;

/**
 * Finds words and phrases case-insensitively, as whole words. A `*` at an end also matches longer words. Any white
 * space matches between the words of a phrase.
 */
export function wordMatcher(words: readonly string[]): Matcher {
  const folded = words.map((word) => withoutInvisible(word.normalize("NFKC")).trim());
  const wanted = folded.map(wordOf).filter(({ text }) => text !== "");
  // Longest first: of two words with a common start, the longer one matches.
  wanted.sort((one, other) => other.text.length - one.text.length);
  const sources = wanted.map(({ text }) => text.split(/\s+/).map(RE2JS.quote).join(BLANKS));
  const any = RE2JS.compile(sources.join("|") || "[^\\x00-\\x{10FFFF}]", RE2JS.CASE_INSENSITIVE);
  const each = wanted.map(({ open, close }, index) => ({
    open,
    close,
    exact: RE2JS.compile(sources[index]!, RE2JS.CASE_INSENSITIVE),
  }));
  const longest = Math.max(1, ...wanted.map(({ text }) => text.length + 3 * (text.split(/\s+/).length - 1)));
  return {
    longest: longest + 1,
    weight: 20 + 10 * wanted.length,
    mayMatch: (text) => any.test(text),
    find(text, from) {
      const matcher = any.matcher(text);
      for (let at = from; at <= text.length && matcher.find(at); ) {
        const start = matcher.start();
        const rest = text.slice(start, start + longest + 1);
        for (const { exact, open, close } of each) {
          const here = exact.matcher(rest);
          if (!here.lookingAt()) continue;
          const end = start + here.end();
          if ((open || isEdge(text, start)) && (close || isEdge(text, end))) return [start, end];
        }
        at = start + 1;
      }
      return null;
    },
  };
}

const wordOf = (word: string) => ({
  text: word.replace(/^\*+|\*+$/g, "").trim(),
  open: word.startsWith("*"),
  close: word.endsWith("*"),
});

/** Whether a word may start or end between two characters. */
function isEdge(text: string, at: number): boolean {
  const [before, behind] = [
    characterBefore(text, at),
    at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : "",
  ];
  if (!PART_OF_WORD.test(before) || !PART_OF_WORD.test(behind)) return true;
  return UNDIVIDED.test(before) || UNDIVIDED.test(behind);
}

function characterBefore(text: string, at: number): string {
  if (at === 0) return "";
  const pair = at >= 2 ? text.codePointAt(at - 2)! : 0;
  return pair > 0xffff ? String.fromCodePoint(pair) : text[at - 1]!;
}
