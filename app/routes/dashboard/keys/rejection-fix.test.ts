import { expect, test } from "vitest";
import { rejectionFix } from "./RejectionText";

test("only a budget of the key is raised on the page of the key", () => {
  expect(rejectionFix("budget_exceeded", "key")).toEqual({ fix: "budget", to: "#policy" });
  for (const scope of ["user", "department", "project", "organisation", "", null, undefined])
    expect(rejectionFix("budget_exceeded", scope)).toBeUndefined();
  expect(rejectionFix("billing_limit_reached", "wallet")).toEqual({ fix: "pay", to: "#gates" });
});
