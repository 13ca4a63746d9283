import { expect, test } from "vitest";
import type { PriceList } from "~/domain/catalogue/shared";
import { atBatchPrice } from "./batch-price";
import { explainPrice, sumOfLines } from "./explain-price";
import { priceUsage } from "./price-usage";

const list: PriceList = {
  version: 7,
  inputPerMtok: 2_500_000_000n,
  outputPerMtok: 10_000_000_000n,
  cachedInputPerMtok: 1_250_000_000n,
  cacheWritePerMtok: 2_500_000_001n,
  perRequest: 0n,
  perSecond: 0n,
  perMchar: 0n,
  cacheWriteLongPerMtok: null,
  perToolUse: 10_000_000n,
  longContext: [
    {
      aboveInputTokens: 1_000,
      inputPerMtok: 5_000_000_000n,
      outputPerMtok: 15_000_000_000n,
      cachedInputPerMtok: 2_500_000_000n,
      cacheWritePerMtok: 5_000_000_000n,
    },
  ],
};
const usage = { inputTokens: 900, cachedInputTokens: 300, cacheWriteTokens: 0, outputTokens: 77 };

test("half the price of a list is half of what a usage costs, short and long", () => {
  for (const inputTokens of [900, 1_900]) {
    const half = priceUsage(atBatchPrice(list, 500_000), { ...usage, inputTokens });
    expect(2n * half).toBe(priceUsage(list, { ...usage, inputTokens }));
  }
});

test("what is not divided evenly is rounded up, price by price, and the lines of a cost add up to it", () => {
  const half = atBatchPrice(list, 500_000);
  expect(half.cacheWritePerMtok).toBe(1_250_000_001n);
  const written = { ...usage, cacheWriteTokens: 333, toolUses: 2 };
  expect(sumOfLines(explainPrice(half, written))).toBe(priceUsage(half, written));
});

test("tools that are billed by use cost the same, and what has no price of its own has none", () => {
  const half = atBatchPrice(list, 500_000);
  expect(half).toMatchObject({ version: 7, perToolUse: 10_000_000n, cacheWriteLongPerMtok: null });
  expect(half.audioInputPerMtok).toBeUndefined();
  expect(atBatchPrice(list, 0)).toMatchObject({ inputPerMtok: 0n, outputPerMtok: 0n });
});

test("batch prices of the list itself go before a share, and no other tier of service changes them", () => {
  const batch = {
    inputPerMtok: 1_000_000_000n,
    outputPerMtok: 4_000_000_000n,
    cachedInputPerMtok: 500_000_000n,
    cacheWritePerMtok: 1_000_000_000n,
  };
  const own = atBatchPrice({ ...list, tiers: { batch, priority: batch } }, 900_000);
  expect(own).toMatchObject({ version: 7, perToolUse: 10_000_000n, ...batch });
  expect(own.tiers).toBeUndefined();
  const shared = atBatchPrice({ ...list, tiers: { priority: batch } }, 500_000);
  expect(priceUsage(shared, { ...usage, serviceTier: "priority" })).toBe(priceUsage(shared, usage));
});
