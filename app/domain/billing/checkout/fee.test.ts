import fc from "fast-check";
import { expect, test } from "vitest";
import { centsOf, priceOfCredit } from "./fee";

const USD = 1_000_000_000n;

test("a credit costs itself and the fee, which is rounded up to the cent", () => {
  const fee = { feeMillionths: 29_000n, feeFixedNanoUsd: 300_000_000n };
  expect(priceOfCredit(10n * USD, fee)).toEqual({ feeNanoUsd: 590_000_000n, totalNanoUsd: 10_590_000_000n });
  expect(priceOfCredit(10_010_000_000n, fee).feeNanoUsd).toBe(600_000_000n);
});

test("no fee leaves the credit alone, and every price is whole cents, at least the exact one and less than a cent above", () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10_000_000n), fc.bigInt(0n, 500_000n), fc.bigInt(0n, 10_000n), (cents, share, fixed) => {
      const credit = cents * 10_000_000n;
      const { feeNanoUsd } = priceOfCredit(credit, { feeMillionths: share, feeFixedNanoUsd: fixed * 10_000_000n });
      expect(centsOf(feeNanoUsd)).not.toBeNull();
      const exactMillionths = credit * share + fixed * 10_000_000n * 1_000_000n;
      expect(feeNanoUsd * 1_000_000n).toBeGreaterThanOrEqual(exactMillionths);
      expect(feeNanoUsd * 1_000_000n - exactMillionths).toBeLessThan(10_000_000n * 1_000_000n);
    }),
  );
  expect(priceOfCredit(USD, { feeMillionths: 0n, feeFixedNanoUsd: 0n })).toEqual({ feeNanoUsd: 0n, totalNanoUsd: USD });
});

test("fractions of a cent have no cents", () => {
  expect([centsOf(12_340_000_000n), centsOf(12_345_000_000n)]).toEqual([1234, null]);
});
