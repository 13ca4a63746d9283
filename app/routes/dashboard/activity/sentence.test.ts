import { describe, expect, test } from "vitest";
import { AUDIT_ACTIONS } from "~/domain/activity/shared";
import english from "~/i18n/parts/en/activity-sentences";
import { sentenceOf } from "./sentence";
import { addressOfPerson, addressOfTarget } from "./target-address";

const tell = (action: string, before: unknown, after: unknown) => sentenceOf({ action, before, after });
const usd = (nanoUsd: bigint) => ({ kind: "money", nanoUsd });

describe("the sentence of an act", () => {
  test("says how the budget of a key went, from and to", () => {
    expect(tell("key.update", { budget_limit: "0.050000000" }, { budget_limit: "0.500000000" })).toEqual({
      key: "budget.raised",
      before: usd(50_000_000n),
      after: usd(500_000_000n),
    });
    expect(tell("key.update", { budget_limit: "2.0" }, { budget_limit: "1.0" })?.key).toBe("budget.lowered");
    const first = { budget_limit: "1.0", budget_period: "monthly" };
    expect(tell("key.update", { budget_limit: null, budget_period: null }, first)?.key).toBe("budget.set");
    expect(tell("key.update", { budget_limit: "1.0" }, { budget_limit: null })?.key).toBe("budget.removed");
    expect(tell("key.update", { budget_period: "daily" }, { budget_period: "monthly" })).toEqual({
      key: "key.update_with",
      detail: { kind: "fields", names: ["budget_period"] },
    });
  });

  test("says how the budgets and credit of people and organisations went", () => {
    expect(tell("user.monthly_budget", { limitNanoUsd: "10" }, { limitNanoUsd: "20" })?.key).toBe("budget.raised");
    expect(tell("user.spending_limit", { creditLimitNanoUsd: "20" }, { creditLimitNanoUsd: "0" })?.key).toBe(
      "credit.lowered",
    );
    expect(tell("organisation.monthly_budget", { limitNanoUsd: null }, { limitNanoUsd: null })?.key).toBe(
      "organisation.monthly_budget",
    );
  });

  test("leaves out what an old row does not say", () => {
    expect(tell("user.role", { role: "member" }, { role: "viewer" })?.key).toBe("user.role_with");
    expect(tell("user.role", null, { role: "viewer" })).toEqual({ key: "user.role" });
    expect(tell("user.department", { departmentId: 1 }, { departmentId: null })).toEqual({ key: "user.department" });
    expect(tell("user.name", { name: "" }, { name: "Ada" })).toEqual({ key: "user.name" });
    expect(
      tell("organisation.merge", null, {
        from: [
          { id: 1, name: "A" },
          { id: 2, name: "B" },
        ],
      })?.detail,
    ).toEqual({
      kind: "text",
      text: "A, B",
    });
  });

  test("is there for every kind, whatever was recorded, and for no other", () => {
    const recorded = [null, {}, [], "text", { name: 1, from: 1, role: null, status: "gone", limitNanoUsd: "x" }];
    for (const action of AUDIT_ACTIONS) {
      for (const fields of recorded) {
        const [kind, event] = tell(action, fields, fields)!.key.split(".") as ["key", "create"];
        expect(english[kind]?.[event], `${action} as ${kind}.${event}`).toBeTypeOf("string");
      }
    }
    expect(tell("no.such_act", {}, {})).toBeNull();
  });
});

describe("the link of an act", () => {
  const target = (targetKind: string, action = "key.update") => ({ action, targetKind, targetId: "7" });
  const member = { role: "member", userId: 3 } as const;

  test("leads to pages that the reader may open", () => {
    expect(addressOfTarget(target("key"), member)).toBe("/dashboard/keys/7");
    expect(addressOfTarget(target("project"), member)).toBeNull();
    expect(addressOfTarget(target("supplier"), { role: "org_admin", userId: 3 })).toBeNull();
    expect(addressOfTarget(target("hold"), { role: "owner", userId: 3 })).toBe("/dashboard/admin/billing/reconcile/7");
    expect(addressOfPerson(3, member)).toBe("/dashboard/settings");
    expect(addressOfPerson(4, member)).toBeNull();
  });

  test("is not there for what is gone", () => {
    expect(addressOfTarget(target("user", "user.delete"), { role: "owner", userId: 3 })).toBeNull();
  });
});
