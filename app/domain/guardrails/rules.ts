import { randomBytes } from "node:crypto";
import { apiError } from "~/errors/app-error";
import { compileRules, faultOf } from "./compile";
import type { CompiledRule } from "./scan";
import {
  type GuardrailChange,
  GuardrailRule,
  type Guardrails,
  MAX_RULES,
  type NewGuardrailRule,
  type Side,
} from "./shared";
import { readWebhook } from "./webhook";

/** Rules as they are stored. One that cannot be read refuses every request and every answer, until it is removed. */
export function readRules(stored: unknown): GuardrailRule[] {
  if (!Array.isArray(stored)) return [];
  return stored.map((rule, index) => GuardrailRule.safeParse(rule).data ?? unreadable(index));
}

const unreadable = (index: number): GuardrailRule => ({
  id: index.toString(16).padStart(12, "0"),
  name: "unreadable rule",
  on: "both",
  action: "refuse",
  kind: "pattern",
  pattern: "(",
});

/**
 * The rules once one is added, behind those that are there, or removed.
 * @throws AppError invalid_input for a rule that cannot be used, or one too many; not_found
 */
export function changedRules(rules: readonly GuardrailRule[], change: GuardrailChange): GuardrailRule[] {
  if (change.kind === "remove") {
    const left = rules.filter(({ id }) => id !== change.id);
    if (left.length === rules.length) throw apiError("not_found");
    return left;
  }
  requireUsable(change.rule);
  if (rules.length >= MAX_RULES)
    throw apiError("invalid_input", {
      key: "problems:guardrailTooMany",
      values: { most: MAX_RULES },
      param: "name",
    });
  return [...rules, { ...change.rule, id: randomBytes(6).toString("hex") }];
}

/** @throws AppError invalid_input for a rule that cannot be used */
function requireUsable(rule: NewGuardrailRule): void {
  const fault = faultOf(rule);
  if (fault !== null) throw apiError("invalid_input", { key: FAULTS[fault], param: "text" });
}

const FAULTS = {
  syntax: "problems:guardrailPattern",
  tooLarge: "problems:guardrailPatternSize",
  matchesNothing: "problems:guardrailPatternEmpty",
  words: "problems:guardrailWord",
} as const;

/** Rules for the audit log: what they are called and do, without what they look for. */
export const describeRules = (rules: readonly GuardrailRule[]): { rules: string[] } => ({
  rules: rules.map(({ name, kind, on, action }) => `${name} (${kind}, ${on}, ${action})`),
});

/** The guardrails of an organisation or a key as they are stored. */
type Stored = { id: number; guardrails: unknown; guardrailWebhook: unknown };

/** All that holds for a key; null where there is none. */
export function guardrailsOf(organisation: Stored, key: Stored): Guardrails | null {
  const webhooks = [
    readWebhook(organisation.guardrailWebhook, { kind: "organisation", id: organisation.id }),
    readWebhook(key.guardrailWebhook, { kind: "key", id: key.id }),
  ].filter((webhook) => webhook !== null);
  const all = { organisation: readRules(organisation.guardrails), key: readRules(key.guardrails), webhooks };
  return all.organisation.length + all.key.length + webhooks.length === 0 ? null : all;
}

const compiled = new WeakMap<Guardrails, Record<Side, readonly CompiledRule[]>>();

/** The rules that hold for one side, the organisation's first, ready to be used. Compiled once for each reading of a key. */
export function rulesFor(guardrails: Guardrails, side: Side): readonly CompiledRule[] {
  let both = compiled.get(guardrails);
  if (both === undefined) {
    const of = (one: Side) => [
      ...compileRules(guardrails.organisation, "organisation", one),
      ...compileRules(guardrails.key, "key", one),
    ];
    both = { input: of("input"), output: of("output") };
    compiled.set(guardrails, both);
  }
  return both[side];
}
