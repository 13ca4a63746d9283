import { FoldedText } from "./fold";
import type { Matcher } from "./matcher";
import type { GuardrailAction } from "./shared";

/** A rule that is ready to be used. */
export type CompiledRule = {
  name: string;
  by: "organisation" | "key";
  action: GuardrailAction;
  matchers: readonly Matcher[];
};

/** What stands in the place of what was taken out, where there is room for it: no text grows by being redacted. */
const REDACTED = "[redacted]";

/** So many blocks are looked at together. */
const MAX_BLOCKS = 256;

/** One matcher of a rule, and how far it has come: everything before `at` is decided. */
type Search = { rule: number; matcher: Matcher; isRedacting: boolean; at: number };
type Span = { from: number; to: number };

/**
 * Applies rules to one text that comes in pieces, and gives back as much of it as is decided, redacted. What is found and what comes
 * out depends on the text alone and never on where its pieces begin and end: each matcher decides block by block, `longest` characters
 * each, once so many more have come as its longest match has.
 */
export class TextScan {
  /** How often each rule matched, by its place among the rules. */
  readonly counts: number[];
  /** The rule that refused the text: nothing more of it comes out. */
  refusedBy: CompiledRule | null = null;
  /** Something was taken out. */
  changed = false;
  /** What the search has cost so far, in the cheapest matcher's characters. */
  work = 0;
  /** An allowance was used up: `goOn`. */
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

  /** Takes the next piece; gives what has been decided. `allowance`: the work after which the rest is left to the next call. */
  push(piece: string, allowance = Number.POSITIVE_INFINITY): string {
    this.#text.push(piece);
    return this.goOn(allowance);
  }

  /** The text is over; gives what was held back. */
  end(allowance = Number.POSITIVE_INFINITY): string {
    this.#text.finish();
    this.#isEnd = true;
    return this.goOn(allowance);
  }

  /** Goes on with what an allowance left undone; gives what has been decided. */
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
      const left = end - search.at;
      const blocks = this.#isEnd ? Math.ceil(left / longest) : Math.floor(left / longest) - 1;
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
      const found = this.#firstInBlock(search);
      if (found === null) {
        search.at = Math.min(search.at + longest, end);
        continue;
      }
      search.at = found.to;
      this.counts[search.rule]! += 1;
      const rule = this.#rules[search.rule]!;
      if (rule.action === "refuse") {
        this.refusedBy = rule;
        return;
      }
      if (search.isRedacting) this.#spans.push(found);
    }
  }

  /** How many of the next blocks certainly hold no match, found by halving. */
  #clearBlocks({ matcher, at }: Search, blocks: number): number {
    for (let wanted = Math.min(blocks, MAX_BLOCKS); wanted > 0; wanted >>= 1) {
      const part = this.#text.slice(at, at + (wanted + 1) * matcher.longest);
      this.work += part.length;
      if (!matcher.mayMatch(part)) return wanted;
    }
    return 0;
  }

  /** The first match that begins in the next block. */
  #firstInBlock({ matcher, at }: Search): Span | null {
    const before = this.#text.before(at);
    const view = before + this.#text.slice(at, at + 2 * matcher.longest);
    this.work += view.length * matcher.weight;
    const found = matcher.find(view, before.length);
    if (found === null || found[0] - before.length >= matcher.longest) return null;
    return { from: at + found[0] - before.length, to: at + found[1] - before.length };
  }

  /** Gives out what stands before a place, as far as no span lies across it. */
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
      // The character before may have been taken out whole.
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

  /** The end of a span, moved to the end of a character that it divides. */
  #wholeEnd(place: number): number {
    for (let at = place; ; at += 1) if (this.#text.wholeCharacters(at) === at || at >= this.#text.end) return at;
  }
}

const replacementOf = (text: string): string => (text.length >= REDACTED.length ? REDACTED : "*".repeat(text.length));
