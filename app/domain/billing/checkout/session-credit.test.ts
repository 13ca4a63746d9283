import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { paidWithoutTax, provenCredit } from "./session-credit";

describe("of a paid session, credit and fee were paid with", () => {
  const priced = { subtotalCents: 1_059, totalCents: 1_059, taxCents: 0, discountCents: 0 };
  test.each([
    ["no tax", {}, 1_059],
    ["tax on top", { totalCents: 1_260, taxCents: 201 }, 1_059],
    ["tax that the price includes", { taxCents: 169 }, 1_059],
    ["tax of both kinds", { totalCents: 1_159, taxCents: 200 }, 1_059],
    ["a discount", { totalCents: 859, discountCents: 200 }, 859],
    ["a discount, and tax on top of the rest", { totalCents: 1_022, taxCents: 163, discountCents: 200 }, 859],
    ["a discount, and tax that is included", { totalCents: 859, taxCents: 137, discountCents: 200 }, 859],
    ["less than the price", { totalCents: 1_058 }, 1_058],
    ["more than the price", { totalCents: 1_100 }, 1_100],
    ["another price", { subtotalCents: 500, totalCents: 595, taxCents: 95 }, 500],
    ["nothing but tax", { totalCents: 201, taxCents: 201, discountCents: 1_059 }, 0],
  ])("%s", (_, change, expected) => {
    expect(paidWithoutTax({ ...priced, ...change })).toBe(expected);
  });

  test("never more than was charged, and never tax that came on top", () => {
    const cents = fc.nat(1_000_000);
    fc.assert(
      fc.property(cents, cents, cents, cents, (subtotalCents, totalCents, taxCents, discountCents) => {
        const paid = paidWithoutTax({ subtotalCents, totalCents, taxCents, discountCents });
        expect(paid).toBeLessThanOrEqual(totalCents);
        expect(paid).toBeGreaterThanOrEqual(totalCents - taxCents);
      }),
    );
  });
});

test("a credit is worth its part of the price that was paid, cut to whole nano-dollars, and never more than itself", () => {
  const credit = 10_000_000_000n;
  expect(provenCredit(credit, { paidCents: 1_059, askedCents: 1_059 })).toBe(credit);
  expect(provenCredit(credit, { paidCents: 2_000, askedCents: 1_059 })).toBe(credit);
  expect(provenCredit(credit, { paidCents: 859, askedCents: 1_059 })).toBe(8_111_425_873n);
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 15n),
      fc.integer({ min: 1, max: 10 ** 6 }),
      fc.nat(10 ** 6),
      (all, asked, paid) => {
        const proven = provenCredit(all, { paidCents: paid, askedCents: asked });
        expect(proven <= all && proven * BigInt(asked) <= all * BigInt(paid)).toBe(true);
      },
    ),
  );
});
