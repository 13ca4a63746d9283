import { describe, expect, test } from "vitest";
import { type RemedyFacts, remedyFor } from "./remedy";

const facts: RemedyFacts = {
  ...{ code: "billing_limit_reached", scope: "wallet", keyId: 7, userId: 3 },
  ...{ mayFund: false, isOrgAdmin: false, sample: null },
};
const remedy = (more: Partial<RemedyFacts>) => remedyFor({ ...facts, ...more });

describe("a first request that was rejected has one thing to do", () => {
  test("an empty wallet: the free command, else funds, else whoever can add them", () => {
    expect(remedy({ sample: "free", mayFund: true })).toEqual({ kind: "sample", to: "#first-request" });
    expect(remedy({ sample: "usable", mayFund: true })).toEqual({ kind: "funds", to: "/dashboard/billing/fund" });
    expect(remedy({ isOrgAdmin: true })).toEqual({ kind: "operator", to: "/contact" });
    expect(remedy({}).kind).toBe("administrator");
  });

  test("a budget: the page on which this person raises it, or an administrator", () => {
    const budget = { code: "budget_exceeded" };
    expect(remedy({ ...budget, scope: "key" })).toEqual({ kind: "budget", to: "/dashboard/keys/7#policy" });
    for (const scope of ["user", "department", "project", "organisation"])
      expect(remedy({ ...budget, scope }).kind).toBe("administrator");
    expect(remedy({ ...budget, scope: "user", isOrgAdmin: true }).to).toBe("/dashboard/admin/users/3");
    expect(remedy({ ...budget, scope: "department", isOrgAdmin: true }).to).toBe("/dashboard/admin/organisation");
  });

  test("a model: the command that works, or the models", () => {
    for (const code of ["model_not_found", "model_not_allowed", "capability_unsupported"]) {
      expect(remedy({ code, sample: "usable" })).toEqual({ kind: "sample", to: "#first-request" });
      expect(remedy({ code })).toEqual({ kind: "model", to: "/dashboard/models" });
    }
  });

  test("a rate, an expired key, anything else", () => {
    expect(remedy({ code: "rate_limit_exceeded" })).toEqual({ kind: "rate", to: "/dashboard/keys/7#policy" });
    expect(remedy({ code: "expired_api_key" })).toEqual({ kind: "key", to: "/dashboard/keys/7#policy" });
    expect(remedy({ code: "origin_not_allowed" })).toEqual({ kind: "key", to: "/dashboard/keys/7" });
    expect(remedy({ code: "invalid_json" })).toEqual({ kind: "errors", to: "/api-docs/errors#invalid_json" });
  });
});
