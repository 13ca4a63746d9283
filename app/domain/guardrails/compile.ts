import type { Matcher } from "./matcher";
import { isTooLargeToTry, type PatternFault, patternMatcher } from "./pattern";
import { personalMatcher } from "./personal";
import type { CompiledRule } from "./scan";
import type { GuardrailRule, NewGuardrailRule, Side } from "./shared";
import { wordMatcher } from "./words";

/** Returns why a rule cannot be used; null: it can. */
export function faultOf(rule: NewGuardrailRule): PatternFault | "words" | null {
  if (rule.kind === "words") return rule.words.some((word) => !/[^*\s]/.test(word)) ? "words" : null;
  if (rule.kind !== "pattern") return null;
  if (isTooLargeToTry(rule.pattern)) return "tooLarge";
  const compiled = patternMatcher(rule.pattern);
  return typeof compiled === "string" ? compiled : null;
}

/** Compiles the rules of one holder for one side. A stored rule that cannot be parsed refuses everything. */
export const compileRules = (
  rules: readonly (GuardrailRule | NewGuardrailRule)[],
  by: CompiledRule["by"],
  side: Side,
): CompiledRule[] => rules.filter(({ on }) => on === "both" || on === side).map((rule) => compileRule(rule, by));

/** Compiles a rule. Takes some milliseconds, and up to fifty for the heaviest rules. */
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

/** Matches every text, for a rule that cannot be parsed. */
const EVERYTHING: Matcher = {
  longest: 1,
  weight: 1,
  mayMatch: () => true,
  find: (text, from) => (from < text.length ? [from, from + 1] : null),
};
