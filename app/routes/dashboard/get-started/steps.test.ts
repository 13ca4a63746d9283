import { describe, expect, test } from "vitest";
import { nextStep, type StepFacts, stepsOf } from "./steps";

const fresh: StepFacts = {
  role: "member",
  verified: true,
  hasKey: false,
  firstRequestAt: null,
  hasBudget: false,
  hasCompany: false,
  hasSupplier: false,
  marked: [],
};
const names = (facts: Partial<StepFacts>) => stepsOf({ ...fresh, ...facts }).map(({ name }) => name);

describe("the first steps", () => {
  test("are those that a person can take", () => {
    expect(names({ role: "viewer" })).toEqual(["verify", "guide"]);
    expect(names({})).toEqual(["verify", "key", "request", "budget", "guide"]);
    expect(names({ role: "org_admin" })).toContain("invite");
    expect(names({ role: "org_admin" })).not.toContain("supplier");
    expect(names({ role: "owner" })).toContain("supplier");
  });

  test("are done when it is so, not when somebody says so", () => {
    const said = stepsOf({ ...fresh, marked: ["key", "request", "budget", "guide"] });
    expect(said.filter(({ done }) => done).map(({ name }) => name)).toEqual(["verify", "budget", "guide"]);
    expect(nextStep(said)).toBe("key");
  });

  test("end", () => {
    const facts = { hasKey: true, firstRequestAt: new Date(), hasBudget: true, marked: ["guide"] };
    expect(nextStep(stepsOf({ ...fresh, ...facts }))).toBeNull();
  });
});
