import { atLeast, type Role } from "~/domain/identity/shared";

export const STEPS = ["verify", "key", "request", "budget", "guide", "invite", "supplier"] as const;
export type StepName = (typeof STEPS)[number];

/** What is true of a person and their organisation at this moment. */
export type StepFacts = {
  role: Role;
  verified: boolean;
  hasKey: boolean;
  firstRequestAt: Date | null;
  hasBudget: boolean;
  hasCompany: boolean;
  hasSupplier: boolean;
  /** Steps that were marked as done by hand. */
  marked: readonly string[];
};

export type Step = {
  name: StepName;
  done: boolean;
  /** It may be marked by hand: nothing else can tell, or somebody does without it. */
  markable: boolean;
};

/** The steps that this person can take, in their order. */
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

/** The first step that is still to be taken; null when all are done. */
export const nextStep = (steps: readonly Step[]): StepName | null => steps.find(({ done }) => !done)?.name ?? null;
