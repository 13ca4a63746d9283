import { expect, test } from "vitest";
import { nextStep } from "./after-call";
import type { LineAnswer } from "./execute-line";

const answer = (more: Partial<LineAnswer> = {}): LineAnswer => ({
  ...{ customId: "a", status: 503, requestId: "r", body: "{}", code: "all_providers_exhausted", message: "" },
  ...{ retryAfter: null, mayRetry: true, isUnknown: false, isUncalled: false },
  ...more,
});

test("an answer ends its line, and so does what no other try changes", () => {
  expect(nextStep(answer({ status: 200, code: null }), 1)).toEqual({ kind: "end" });
  expect(nextStep(answer({ status: 400, code: "validation_error" }), 1)).toEqual({ kind: "end" });
  expect(nextStep(answer({ mayRetry: false }), 1)).toEqual({ kind: "end" });
  const unknown = answer({ status: 409, code: "operation_in_progress", isUnknown: true });
  expect(nextStep(unknown, 1)).toEqual({ kind: "end" });
});

test("a supplier that fails is tried again, later each time, and not for ever", () => {
  const waits = [1, 2, 3].map((tries) => nextStep(answer(), tries));
  expect(waits).toEqual([2, 4, 8].map((seconds) => ({ kind: "retry", seconds })));
  expect(nextStep(answer(), 4)).toEqual({ kind: "end" });
  expect(nextStep(answer({ retryAfter: 100_000 }), 1)).toEqual({ kind: "retry", seconds: 300 });
});

test("what the key's rate or the gateway refuses makes the batch wait, however often", () => {
  const limited = answer({ status: 429, code: "rate_limit_exceeded", retryAfter: 17 });
  expect(nextStep(limited, 1_000)).toEqual({ kind: "pause", seconds: 17 });
  expect(nextStep(answer({ code: "billing_unavailable" }), 1_000)).toEqual({ kind: "pause", seconds: 5 });
  expect(nextStep(answer({ status: 409, code: "operation_in_progress" }), 1_000)).toEqual({
    kind: "retry",
    seconds: 5,
  });
});

test("no money is told as such", () => {
  for (const code of ["billing_limit_reached", "budget_exceeded"])
    expect(nextStep(answer({ status: 403, code, mayRetry: false }), 1)).toEqual({ kind: "short" });
});
