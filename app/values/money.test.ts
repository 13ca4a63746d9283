import { expect, test } from "vitest";
import { parseWrittenUsd, plainUsd } from "./money";

test.each([
  ["12.50", 12_500_000_000n],
  [" $ 12.50 ", 12_500_000_000n],
  ["12,50", 12_500_000_000n],
  ["0,005", 5_000_000n],
  ["0,000000001", 1n],
  ["1,5", 1_500_000_000n],
  ["1000,1234", 1_000_123_400_000n],
])("%s is the amount that its writer meant", (text, nanoUsd) => {
  expect(parseWrittenUsd(text)).toBe(nanoUsd);
});

test.each(["1,000", "250,125", "1,000.50", "1.000,50", "1,2,3", ",5", "5,", "1e3", "€5", ""])(
  "%s is refused rather than guessed",
  (text) => {
    expect(parseWrittenUsd(text)).toBeNull();
  },
);

test("an amount for a field has two decimals, or as many as it has", () => {
  expect([5_000_000_000n, 1_500_000_000n, 1_000_000_001n].map(plainUsd)).toEqual(["5.00", "1.50", "1.000000001"]);
});
