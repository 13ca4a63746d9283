import fc from "fast-check";
import { expect, test } from "vitest";
import type { PriceList } from "~/domain/catalogue/shared";
import { explainPrice, sumOfLines } from "./explain-price";
import { priceUsage } from "./price-usage";

const count = fc.integer({ min: 0, max: 3_000_000 });
const unit = fc.bigInt({ min: 0n, max: 80_000_000_000n });
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined });

const prices: fc.Arbitrary<PriceList> = fc.record({
  version: fc.constant(1),
  inputPerMtok: unit,
  outputPerMtok: unit,
  cachedInputPerMtok: unit,
  cacheWritePerMtok: unit,
  perRequest: unit,
  perSecond: unit,
  perMchar: unit,
  cacheWriteLongPerMtok: fc.option(unit),
  audioInputPerMtok: fc.option(unit),
  audioOutputPerMtok: fc.option(unit),
  perToolUse: fc.option(unit),
  tiers: fc.constant({
    flex: {
      ...{ inputPerMtok: 7n, outputPerMtok: 11n, cachedInputPerMtok: 3n, cacheWritePerMtok: 13n },
      ...{ cacheWriteLongPerMtok: null, audioInputPerMtok: 17n },
    },
  }),
});
const usages = fc.record({
  inputTokens: count,
  cachedInputTokens: count,
  cacheWriteTokens: count,
  outputTokens: count,
  cacheWriteLongTokens: maybe(count),
  audioInputTokens: maybe(count),
  audioOutputTokens: maybe(count),
  milliseconds: maybe(count),
  characters: maybe(count),
  requests: maybe(fc.integer({ min: 1, max: 9 })),
  toolUses: maybe(fc.integer({ min: 0, max: 9 })),
  serviceTier: maybe(fc.constantFrom("flex", "priority")),
});

test("the lines of a price add up to the price, whatever was used", () => {
  fc.assert(
    fc.property(prices, usages, (price, usage) => {
      expect(sumOfLines(explainPrice(price, usage))).toBe(priceUsage(price, usage));
    }),
    { numRuns: 2_000 },
  );
});
