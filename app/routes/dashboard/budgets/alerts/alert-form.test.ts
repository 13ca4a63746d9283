import { expect, test } from "vitest";
import { ActivateForm, AlertForm } from "./alert-form.schema";

const upTo = (many: number) => Array.from({ length: many }, (_, index) => index + 1);
const read = (thresholds: unknown) => AlertForm.safeParse({ active: "on", thresholds }).data?.thresholds ?? null;

test("there are up to ten percentages of one's own, written in any way", () => {
  expect(read(upTo(10).join(", "))).toEqual(upTo(10));
  expect(read(upTo(11).join(", "))).toBeNull();
  expect(read(upTo(11))).toBeNull();
  expect(ActivateForm.safeParse({ thresholds: upTo(11) }).success).toBe(false);
  expect(ActivateForm.parse({ thresholds: upTo(10) }).thresholds).toEqual(upTo(10));
});

test("a percentage counts once, in ascending order", () => {
  expect(read("95 %; 25 95,25")).toEqual([25, 95]);
  expect(read([...upTo(10), ...upTo(10)].reverse())).toEqual(upTo(10));
});

test.each([[""], ["0"], ["101"], ["1.5"], ["-5"], ["half"], [null], [[0]], [[50.5]]])(
  "%j is no percentage",
  (thresholds) => {
    expect(read(thresholds)).toBeNull();
  },
);
