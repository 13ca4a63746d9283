import type { Matcher } from "./matcher";
import { isTooLargeToTry, type PatternFault, patternMatcher } from "./pattern";
import { personalMatcher } from "./personal";
import type { CompiledRule } from "./scan";
import type { GuardrailRule, NewGuardrailRule, Side } from "./shared";
import { wordMatcher } from "./words";

/** What is wrong with a rule that cannot be used; null for one that can. */
export function faultOf(rule: NewGuardrailRule): PatternFault | "words" | null {
  if (rule.kind === "words") return rule.words.some((word) => !/[^*\s]/.test(word)) ? "words" : null;
  if (rule.kind !== "pattern") return null;
  if (isTooLargeToTry(rule.pattern)) return "tooLarge";
  const compiled = patternMatcher(rule.pattern);
  return typeof compiled === "string" ? compiled : null;
}

/** Rules of one holder that apply to one side, ready to be used. One that was stored and cannot be read refuses everything. */
export const compileRules = (
  rules: readonly (GuardrailRule | NewGuardrailRule)[],
  by: CompiledRule["by"],
  side: Side,
): CompiledRule[] => rules.filter(({ on }) => on === "both" || on === side).map((rule) => compileRule(rule, by));

/** One rule, ready to be used: some milliseconds of work, and up to fifty for the heaviest. */
export const compileRule = (rule: GuardrailRule | NewGuardrailRule, by: CompiledRule["by"]): CompiledRule => ({
  name: rule.name,
  by,
  action: rule.action,
  matchers: matchersOf(rule),
});

function matchersOf(rule: GuardrailRule | NewGuardrailRule): Matcher[] {
  switch (rule.kind) {
    case "words":
      return [wordMatcher(rule.words)];
    case "personal":
      return rule.data.map(personalMatcher);
    case "pattern": {
      const compiled = patternMatcher(rule.pattern);
      return [typeof compiled === "string" ? EVERYTHING : compiled];
    }
    default:
      return [EVERYTHING];
  }
}

/** Nothing gets past a rule that is not understood. */
const EVERYTHING: Matcher = {
  longest: 1,
  weight: 1,
  mayMatch: () => true,
  find: (text, from) => (from < text.length ? [from, from + 1] : null),
};
