import { FoldedText } from "./fold";
import type { Matcher } from "./matcher";
import type { GuardrailAction } from "./shared";

/** A compiled rule. */
export type CompiledRule = {
  name: string;
  by: "organisation" | "key";
  action: GuardrailAction;
  matchers: readonly Matcher[];
};

/** Replaces redacted text if it is not longer: redaction never lengthens a text. */
const REDACTED = "[redacted]";

/** Maximum blocks examined together. */
const MAX_BLOCKS = 256;

/** The progress of one matcher of a rule: everything before `at` is decided. */
type Search = { rule: number; matcher: Matcher; isRedacting: boolean; at: number };
type Span = { from: number; to: number };

/**
 * Applies rules to a text that arrives in pieces, and returns the decided part of it, redacted. The result depends only
 * on the text, not on its division into pieces. Each matcher decides block by block; a block has `longest` characters,
 * and is decided once as many more have arrived.
 */
export class TextScan {
  /** Number of matches by rule index. */
  readonly counts: number[];
  /** The rule that refused the text: no more of it is returned. */
  refusedBy: CompiledRule | null = null;
  /** Something was redacted. */
  changed = false;
  /** Work so far, in characters of the cheapest matcher. */
  work = 0;
  /** The allowance is used up; continue with `goOn`. */
  isPending = false;
  readonly #rules: readonly CompiledRule[];
  readonly #text = new FoldedText();
  readonly #searches: Search[];
  #spans: Span[] = [];
  #isEnd = false;

  constructor(rules: readonly CompiledRule[]) {
    this.#rules = rules;
    this.counts = rules.map(() => 0);
    this.#searches = rules.flatMap(({ matchers, action }, rule) =>
      matchers.map((matcher) => ({ rule, matcher, isRedacting: action === "redact", at: 0 })),
    );
  }

  /**
   * Appends a piece; returns the newly decided text. `allowance`: maximum work of this call; the rest is left to the
   * next one.
   */
  push(piece: string, allowance = Number.POSITIVE_INFINITY): string {
    this.#text.push(piece);
    return this.goOn(allowance);
  }

  /** Ends the text; returns the rest of it. */
  end(allowance = Number.POSITIVE_INFINITY): string {
    this.#text.finish();
    this.#isEnd = true;
    return this.goOn(allowance);
  }

  /** Continues after an allowance was used up; returns the newly decided text. */
  goOn(allowance = Number.POSITIVE_INFINITY): string {
    this.isPending = false;
    const limit = this.work + allowance;
    for (const search of this.#searches) {
      if (this.refusedBy !== null) return "";
      this.#search(search, limit);
    }
    if (this.refusedBy !== null) return "";
    return this.#release(Math.min(this.#text.end, ...this.#searches.map(({ at }) => at)));
  }

  #search(search: Search, limit: number): void {
    const { matcher } = search;
    const { longest } = matcher;
    const { end } = this.#text;
    for (;;) {
      const remaining = end - search.at;
      const blocks = this.#isEnd ? Math.ceil(remaining / longest) : Math.floor(remaining / longest) - 1;
      if (blocks < 1) return;
      if (this.work >= limit) {
        this.isPending = true;
        return;
      }
      const clear = this.#clearBlocks(search, blocks);
      if (clear > 0) {
        search.at = Math.min(search.at + clear * longest, end);
        continue;
      }
      const match = this.#firstInBlock(search);
      if (match === null) {
        search.at = Math.min(search.at + longest, end);
        continue;
      }
      search.at = match.to;
      this.counts[search.rule]! += 1;
      const rule = this.#rules[search.rule]!;
      if (rule.action === "refuse") {
        this.refusedBy = rule;
        return;
      }
      if (search.isRedacting) this.#spans.push(match);
    }
  }

  /** Returns a number of next blocks that certainly contain no match, found by halving. */
  #clearBlocks({ matcher, at }: Search, blocks: number): number {
    for (let wanted = Math.min(blocks, MAX_BLOCKS); wanted > 0; wanted >>= 1) {
      const part = this.#text.slice(at, at + (wanted + 1) * matcher.longest);
      this.work += part.length;
      if (!matcher.mayMatch(part)) return wanted;
    }
    return 0;
  }

  /** Returns the first match that starts in the next block. */
  #firstInBlock({ matcher, at }: Search): Span | null {
    const before = this.#text.before(at);
    const view = before + this.#text.slice(at, at + 2 * matcher.longest);
    this.work += view.length * matcher.weight;
    const match = matcher.find(view, before.length);
    if (match === null || match[0] - before.length >= matcher.longest) return null;
    return { from: at + match[0] - before.length, to: at + match[1] - before.length };
  }

  /** Returns the text before a position, but not beyond the start of a span that crosses it. */
  #release(decided: number): string {
    let until = this.#text.wholeCharacters(decided);
    this.#spans.sort((one, other) => one.from - other.from);
    const merged: Span[] = [];
    for (const { from, to } of this.#spans) {
      const last = merged.at(-1);
      if (last !== undefined && from < last.to) last.to = Math.max(last.to, to);
      else merged.push({ from, to });
    }
    for (const { from, to } of merged) if (from < until && to > until) until = this.#text.wholeCharacters(from);
    let out = "";
    for (const { from, to } of merged) {
      if (from >= until) break;
      if (to <= this.#text.start) continue;
      // The character before may have been redacted as a whole.
      const begin = Math.max(from, this.#text.start);
      out += this.#text.originalUntil(begin);
      out += replacementOf(this.#text.original(begin, to));
      this.#text.drop(this.#wholeEnd(to));
      this.changed = true;
    }
    if (until > this.#text.start) {
      out += this.#text.original(this.#text.start, until);
      this.#text.drop(until);
    }
    this.#spans = merged.filter(({ from }) => from >= until);
    return this.#isEnd && this.#text.start === this.#text.end ? out + this.#text.takeRest() : out;
  }

  /** Moves the end of a span to the end of the character that it splits. */
  #wholeEnd(position: number): number {
    for (let at = position; ; at += 1) if (this.#text.wholeCharacters(at) === at || at >= this.#text.end) return at;
  }
}

const replacementOf = (text: string): string => (text.length >= REDACTED.length ? REDACTED : "*".repeat(text.length));
