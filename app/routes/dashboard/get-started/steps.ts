import { atLeast, type Role } from "~/domain/accounts/shared";

export const STEPS = ["verify", "key", "request", "budget", "guide", "invite", "supplier"] as const;
export type StepName = (typeof STEPS)[number];

/** Current facts about a person and their organisation. */
export type StepFacts = {
  role: Role;
  verified: boolean;
  hasKey: boolean;
  firstRequestAt: Date | null;
  hasBudget: boolean;
  hasCompany: boolean;
  hasSupplier: boolean;
  /** Steps that were marked as done manually. */
  marked: readonly string[];
};

export type Step = {
  name: StepName;
  done: boolean;
  /** Can be marked manually: no data shows that it is done, or a person may skip it. */
  markable: boolean;
};

/** Returns the steps for this person, in order. */
export function stepsOf(facts: StepFacts): Step[] {
  const { role, marked } = facts;
  const makesKeys = role !== "viewer";
  const step = (name: StepName, fact: boolean, markable = false): Step => ({
    name,
    done: fact || (markable && marked.includes(name)),
    markable,
  });
  return [
    step("verify", facts.verified),
    ...(makesKeys
      ? [
          step("key", facts.hasKey),
          step("request", facts.firstRequestAt !== null),
          step("budget", facts.hasBudget, true),
        ]
      : []),
    step("guide", false, true),
    ...(atLeast(role, "department_admin") ? [step("invite", facts.hasCompany, true)] : []),
    ...(atLeast(role, "platform_admin") ? [step("supplier", facts.hasSupplier, true)] : []),
  ];
}

/** Returns the first unfinished step; null if all are done. */
export const nextStep = (steps: readonly Step[]): StepName | null => steps.find(({ done }) => !done)?.name ?? null;
