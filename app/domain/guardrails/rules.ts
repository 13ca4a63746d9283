import { randomBytes } from "node:crypto";
import type { Db } from "~/connection/db.server";
import { rateLimitExpression } from "~/domain/accounts/index.server";
import { apiError } from "~/errors/app-error";
import { TimeSlice } from "~/values/time-slice";
import { compileRule, faultOf } from "./compile";
import type { CompiledRule } from "./scan";
import { type GuardrailChange, GuardrailRule, type Guardrails, MAX_RULES, type Side } from "./shared";
import { readWebhook } from "./webhook";

/** Parses stored rules. An invalid rule refuses every request and answer until it is removed. */
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
 * Returns the rules after an addition at the end, or a removal.
 * @throws AppError invalid_input for one too many; not_found
 */
export function changedRules(rules: readonly GuardrailRule[], change: CheckedChange): GuardrailRule[] {
  if (change.kind === "remove") {
    const remaining = rules.filter(({ id }) => id !== change.id);
    if (remaining.length === rules.length) throw apiError("not_found");
    return remaining;
  }
  if (rules.length >= MAX_RULES)
    throw apiError("invalid_input", {
      key: "problems:guardrailTooMany",
      values: { most: MAX_RULES },
      param: "name",
    });
  return [...rules, { ...change.rule, id: randomBytes(6).toString("hex") }];
}

declare const checked: unique symbol;
/** A change with a valid rule. */
export type CheckedChange = GuardrailChange & { readonly [checked]: true };

/**
 * Checks a change. This compiles a rule, which takes time: call it outside of transactions; it is rate-limited per
 * person.
 * @throws AppError rate_limit_exceeded; invalid_input for an invalid rule
 */
export async function checkedChange(
  db: Db,
  actor: { userId: number },
  change: GuardrailChange,
): Promise<CheckedChange> {
  if (change.kind === "add") {
    await rateLimitExpression(db, actor);
    const fault = faultOf(change.rule);
    if (fault !== null) throw apiError("invalid_input", { key: FAULTS[fault], param: "text" });
  }
  return change as CheckedChange;
}

const FAULTS = {
  syntax: "problems:guardrailPattern",
  tooLarge: "problems:guardrailPatternSize",
  matchesNothing: "problems:guardrailPatternEmpty",
  words: "problems:guardrailWord",
} as const;

/** Rules for the audit log: names and actions, without words and patterns. */
export const describeRules = (rules: readonly GuardrailRule[]): { rules: string[] } => ({
  rules: rules.map(({ name, kind, on, action }) => `${name} (${kind}, ${on}, ${action})`),
});

/** Guardrail columns of an organisation or a key. */
type Stored = { id: number; guardrails: unknown; guardrailWebhook: unknown };

/** Returns all guardrails of a key; null: none. */
export function guardrailsOf(organisation: Stored, key: Stored): Guardrails | null {
  const webhooks = [
    readWebhook(organisation.guardrailWebhook, { kind: "organisation", id: organisation.id }),
    readWebhook(key.guardrailWebhook, { kind: "key", id: key.id }),
  ].filter((webhook) => webhook !== null);
  const all = { organisation: readRules(organisation.guardrails), key: readRules(key.guardrails), webhooks };
  return all.organisation.length + all.key.length + webhooks.length === 0 ? null : all;
}

type Ready = Record<Side, readonly CompiledRule[]>;
const compiled = new WeakMap<Guardrails, Promise<Ready>>();

/**
 * Returns the compiled rules of each side, the organisation's first. Compiled once for each read of a key, one rule at
 * a time, with a yield to the event loop in between.
 */
export function readyRules(guardrails: Guardrails): Promise<Ready> {
  let ready = compiled.get(guardrails);
  if (ready === undefined) {
    ready = compileInTurns(guardrails);
    compiled.set(guardrails, ready);
  }
  return ready;
}

async function compileInTurns({ organisation, key }: Guardrails): Promise<Ready> {
  const slice = new TimeSlice();
  const ready = { input: [] as CompiledRule[], output: [] as CompiledRule[] };
  for (const [by, rules] of [["organisation", organisation] as const, ["key", key] as const])
    for (const rule of rules) {
      if (slice.isOver) await slice.next();
      const one = compileRule(rule, by);
      if (rule.on !== "output") ready.input.push(one);
      if (rule.on !== "input") ready.output.push(one);
    }
  return ready;
}
