import { z } from "zod";
import { isLine } from "~/domain/identity/shared";
import { issue } from "~/errors/message";

/** `words`: texts in whatever case; `pattern`: a regular expression in RE2's syntax; `personal`: kinds of personal data. */
export const GUARDRAIL_KINDS = ["words", "pattern", "personal"] as const;
/** What is checked: what goes to a model, what comes back, or both. */
export const GUARDRAIL_SIDES = ["input", "output", "both"] as const;
/** `refuse`: the request, or the rest of its answer; `redact`: the match only; `flag`: nothing, but the request log says so. */
export const GUARDRAIL_ACTIONS = ["refuse", "redact", "flag"] as const;
export const PERSONAL_DATA = ["email", "phone", "card", "iban"] as const;

export type GuardrailAction = (typeof GUARDRAIL_ACTIONS)[number];
export type PersonalData = (typeof PERSONAL_DATA)[number];
export type Side = "input" | "output";

/** Of one organisation, and of one key. */
export const MAX_RULES = 30;
export const MAX_WORDS = 100;
export const MAX_WORD_LENGTH = 80;
export const MAX_PATTERN_LENGTH = 500;

const line = (maximum: number) =>
  z.string().trim().min(1, issue("problems:enterAName")).max(maximum).refine(isLine, issue("problems:textUnshowable"));

export const GuardrailName = line(60);
const GuardrailWord = line(MAX_WORD_LENGTH);

const common = {
  /** Told apart by it within one organisation or key. */
  id: z.string().regex(/^[0-9a-f]{12}$/),
  name: GuardrailName,
  on: z.enum(GUARDRAIL_SIDES),
  action: z.enum(GUARDRAIL_ACTIONS),
};

/** One rule. A word may begin or end with `*`: then it is also found inside longer words. */
export const GuardrailRule = z.discriminatedUnion("kind", [
  z.object({ ...common, kind: z.literal("words"), words: z.array(GuardrailWord).min(1).max(MAX_WORDS) }),
  z.object({ ...common, kind: z.literal("pattern"), pattern: z.string().min(1).max(MAX_PATTERN_LENGTH) }),
  z.object({ ...common, kind: z.literal("personal"), data: z.array(z.enum(PERSONAL_DATA)).min(1) }),
]);
export type GuardrailRule = z.output<typeof GuardrailRule>;
type WithoutId<Rule> = Rule extends unknown ? Omit<Rule, "id"> : never;
export type NewGuardrailRule = WithoutId<GuardrailRule>;

/** What one rule found in one request or answer. `by`: whose rule it is. */
export type GuardrailHit = {
  name: string;
  by: "organisation" | "key";
  on: Side;
  action: GuardrailAction;
  count: number;
};

/** A change of an organisation's or a key's rules. */
export type GuardrailChange = { kind: "add"; rule: NewGuardrailRule } | { kind: "remove"; id: string };

/** All that holds for a key. */
export type Guardrails = { organisation: readonly GuardrailRule[]; key: readonly GuardrailRule[] };
