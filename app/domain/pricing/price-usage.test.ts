import fc from "fast-check";
import { expect, test } from "vitest";
import type { PriceList } from "~/domain/catalogue/shared";
import { maxOutputTokensFor, priceMaximum, priceUsage } from "./price-usage";

const price = (more: Partial<PriceList> = {}): PriceList => ({
  version: 1,
  inputPerMtok: 0n,
  outputPerMtok: 0n,
  cachedInputPerMtok: 0n,
  cacheWritePerMtok: 0n,
  perRequest: 0n,
  perSecond: 0n,
  perMchar: 0n,
  ...more,
});
const tokens = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

test("a whole nano-dollar is the unit, and there is one rounding, up", () => {
  const cheap = price({ inputPerMtok: 1n, outputPerMtok: 1n });
  expect(priceUsage(cheap, { ...tokens, inputTokens: 1 })).toBe(1n);
  expect(priceUsage(cheap, { ...tokens, inputTokens: 1, outputTokens: 1 })).toBe(1n);
  expect(priceUsage(cheap, { ...tokens, inputTokens: 1_000_000 })).toBe(1n);
  expect(priceUsage(cheap, { ...tokens, inputTokens: 1_000_001 })).toBe(2n);
  expect(priceUsage(cheap, tokens)).toBe(0n);
});

test("0.50 and 1.50 dollars per million tokens, by hand", () => {
  const gpt = price({ inputPerMtok: 500_000_000n, outputPerMtok: 1_500_000_000n, cachedInputPerMtok: 50_000_000n });
  expect(priceUsage(gpt, { ...tokens, inputTokens: 1_200, cachedInputTokens: 200, outputTokens: 300 })).toBe(
    1_000n * 500n + 200n * 50n + 300n * 1_500n,
  );
});

test("seconds, characters and requests are billed at their prices", () => {
  const audio = price({ perRequest: 7n, perSecond: 100_000n, perMchar: 15_000_000_000n });
  expect(priceUsage(audio, { ...tokens, milliseconds: 1_500, characters: 3 })).toBe(7n + 150_000n + 45_000n);
});

test("counts that exceed their total are cut to it, never charged twice and never negative", () => {
  const list = price({ inputPerMtok: 10_000_000n, cachedInputPerMtok: 1_000_000n, cacheWritePerMtok: 12_000_000n });
  expect(priceUsage(list, { ...tokens, inputTokens: 10, cachedInputTokens: 50, cacheWriteTokens: 50 })).toBe(10n);
  expect(priceUsage(list, { ...tokens, inputTokens: 10, cachedInputTokens: 4, cacheWriteTokens: 50 })).toBe(4n + 72n);
});

test("what is not a count is refused", () => {
  for (const bad of [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
    0.5,
    1e308,
    2 ** 53,
    "10" as never,
    [1] as never,
    null as never,
  ]) {
    expect(() => priceUsage(price(), { ...tokens, inputTokens: bad })).toThrow(RangeError);
    expect(() => priceMaximum(price(), { inputTokens: 1, outputTokens: bad })).toThrow(RangeError);
  }
  expect(priceUsage(price({ inputPerMtok: 5n }), { ...tokens, inputTokens: -0 })).toBe(0n);
});

const longer = {
  inputPerMtok: 6_000_000_000n,
  outputPerMtok: 22_500_000_000n,
  cachedInputPerMtok: 600_000_000n,
  cacheWritePerMtok: 7_500_000_000n,
};
const tiered = price({
  inputPerMtok: 3_000_000_000n,
  outputPerMtok: 15_000_000_000n,
  cachedInputPerMtok: 300_000_000n,
  cacheWritePerMtok: 3_750_000_000n,
  longContext: [{ aboveInputTokens: 200_000, ...longer }],
});

test("above a length every token of a call costs the price of that length, at it none does", () => {
  const use = { ...tokens, cachedInputTokens: 100_000, outputTokens: 10 };
  expect(priceUsage(tiered, { ...use, inputTokens: 200_000 })).toBe(100_000n * 3_000n + 100_000n * 300n + 150_000n);
  expect(priceUsage(tiered, { ...use, inputTokens: 200_001 })).toBe(100_001n * 6_000n + 100_000n * 600n + 225_000n);
});

test("what is held for a call that may be long covers the price of its length, also where that is lower", () => {
  expect(priceMaximum(tiered, { inputTokens: 200_001, outputTokens: 10 })).toBe(200_001n * 7_500n + 225_000n);
  expect(priceMaximum(tiered, { inputTokens: 200_000, outputTokens: 10 })).toBe(200_000n * 3_750n + 150_000n);
  const cheaper = { ...tiered, longContext: [{ aboveInputTokens: 10, ...price() }] };
  expect(priceMaximum(cheaper, { inputTokens: 20, outputTokens: 10 })).toBe(20n * 3_750n + 150_000n);
});

test("the highest ceiling for an amount is the highest at the price of every length that the call can have", () => {
  const bounds = { inputTokens: 300_000, outputTokens: 100_000 };
  const amount = 300_000n * 7_500n + 22_500n * 40n;
  expect(maxOutputTokensFor(tiered, bounds, amount)).toBe(40);
  expect(priceMaximum(tiered, { ...bounds, outputTokens: 41 }) > amount).toBe(true);
});

const amount = fc.oneof(fc.bigInt(0n, 9_000_000_000_000n), fc.bigInt(0n, 5n));
const lists = fc.record({
  version: fc.constant(1),
  inputPerMtok: amount,
  outputPerMtok: amount,
  cachedInputPerMtok: amount,
  cacheWritePerMtok: amount,
  perRequest: amount,
  perSecond: amount,
  perMchar: amount,
});
const usages = fc
  .tuple(fc.nat(3_000_000), fc.nat(1_000), fc.nat(1_000), fc.nat(500_000), fc.nat(7_200_000), fc.nat(200_000))
  .map(([inputTokens, cached, written, outputTokens, milliseconds, characters]) => {
    const cachedInputTokens = Math.floor((inputTokens * cached) / 1_000);
    const cacheWriteTokens = Math.floor(((inputTokens - cachedInputTokens) * written) / 1_000);
    return { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, milliseconds, characters };
  });

test("100,000 random lines cost exactly what rational arithmetic says", () => {
  fc.assert(
    fc.property(lists, usages, (list, use) => {
      // Each part is a separate fraction; they are added with a common denominator and rounded up once.
      const parts: [bigint, bigint][] = [
        [BigInt(use.inputTokens - use.cachedInputTokens - use.cacheWriteTokens) * list.inputPerMtok, 1_000_000n],
        [BigInt(use.cachedInputTokens) * list.cachedInputPerMtok, 1_000_000n],
        [BigInt(use.cacheWriteTokens) * list.cacheWritePerMtok, 1_000_000n],
        [BigInt(use.outputTokens) * list.outputPerMtok, 1_000_000n],
        [BigInt(use.characters) * list.perMchar, 1_000_000n],
        [BigInt(use.milliseconds) * list.perSecond, 1_000n],
        [list.perRequest, 1n],
      ];
      let [over, under] = [0n, 1n];
      for (const [a, b] of parts) [over, under] = [over * b + a * under, under * b];
      const exact = over / under + (over % under === 0n ? 0n : 1n);
      expect(priceUsage(list, use) === exact).toBe(true);
    }),
    { numRuns: 100_000 },
  );
}, 120_000);

test("what few suppliers bill is charged at its own price, or at that of its whole where it has none", () => {
  const listed = price({ inputPerMtok: 1_000_000n, outputPerMtok: 2_000_000n, cacheWritePerMtok: 1_250_000n });
  const parts = { ...tokens, inputTokens: 100, cacheWriteTokens: 60, outputTokens: 50 };
  expect(priceUsage(listed, { ...parts, cacheWriteLongTokens: 60 })).toBe(40n + 120n + 100n);
  expect(priceUsage({ ...listed, cacheWriteLongPerMtok: 3_000_000n }, { ...parts, cacheWriteLongTokens: 20 })).toBe(
    40n + 50n + 60n + 100n,
  );
  const sound = { ...listed, audioInputPerMtok: 10_000_000n, audioOutputPerMtok: 20_000_000n };
  expect(priceUsage(sound, { ...parts, audioInputTokens: 30, audioOutputTokens: 50 })).toBe(10n + 300n + 75n + 1_000n);
  expect(priceUsage(listed, { ...parts, audioInputTokens: 30, audioOutputTokens: 50 })).toBe(40n + 75n + 100n);
  expect(priceUsage({ ...listed, perToolUse: 7n }, { ...parts, toolUses: 3 })).toBe(40n + 75n + 100n + 21n);
  expect(() => priceUsage(listed, { ...parts, toolUses: -1 })).toThrow(RangeError);
});

test("no usage with sound, long cache writes and tools costs more than its maximum", () => {
  const rare = fc.option(amount, { nil: null });
  const rareLists = fc.record({
    cacheWriteLongPerMtok: rare,
    audioInputPerMtok: rare,
    audioOutputPerMtok: rare,
    perToolUse: rare,
  });
  fc.assert(
    fc.property(
      lists,
      rareLists,
      usages,
      fc.tuple(fc.nat(1_000), fc.nat(1_000), fc.nat(1_000), fc.nat(9)),
      (list, more, use, parts) => {
        const full = { ...list, ...more };
        const bounds = { ...use, longCacheWrites: true, toolUses: parts[3] };
        const used = {
          ...use,
          cacheWriteLongTokens: Math.floor((use.cacheWriteTokens * parts[0]) / 1_000),
          audioInputTokens: Math.floor((use.inputTokens * parts[1]) / 1_000),
          audioOutputTokens: Math.floor((use.outputTokens * parts[2]) / 1_000),
          toolUses: parts[3],
        };
        const cost = priceUsage(full, used);
        expect(cost >= 0n && cost <= priceMaximum(full, bounds)).toBe(true);
      },
    ),
    { numRuns: 5_000 },
  );
});

test("no usage within its bounds costs more than the maximum", () => {
  fc.assert(
    fc.property(lists, usages, fc.nat(2_000_000), (list, use, cached) => {
      const bounds = {
        inputTokens: use.inputTokens,
        outputTokens: use.outputTokens,
        milliseconds: use.milliseconds,
        characters: use.characters,
      };
      expect(priceUsage(list, use) <= priceMaximum(list, bounds)).toBe(true);
      expect(priceUsage(list, { ...use, cachedInputTokens: cached }) <= priceMaximum(list, bounds)).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

const tierPrices = fc.record(
  {
    inputPerMtok: amount,
    outputPerMtok: amount,
    cachedInputPerMtok: amount,
    cacheWritePerMtok: amount,
    cacheWriteLongPerMtok: fc.constant(null),
    askedOnly: fc.boolean(),
  },
  { requiredKeys: ["inputPerMtok", "outputPerMtok", "cachedInputPerMtok", "cacheWritePerMtok"] },
);

test("a call is charged at the prices of the tier that answered it, of its length where that tier has some", () => {
  const flat = { cachedInputPerMtok: 0n, cacheWritePerMtok: 0n, cacheWriteLongPerMtok: null };
  const listed = price({
    inputPerMtok: 4_000_000n,
    outputPerMtok: 8_000_000n,
    longContext: [{ aboveInputTokens: 100, inputPerMtok: 6_000_000n, outputPerMtok: 9_000_000n, ...flat }],
    tiers: {
      flex: { inputPerMtok: 2_000_000n, outputPerMtok: 4_000_000n, ...flat },
      priority: {
        ...{ inputPerMtok: 8_000_000n, outputPerMtok: 16_000_000n, ...flat },
        longContext: [{ aboveInputTokens: 50, inputPerMtok: 10_000_000n, outputPerMtok: 20_000_000n, ...flat }],
      },
    },
  });
  const cost = (inputTokens: number, serviceTier?: "flex" | "priority" | "batch") =>
    priceUsage(listed, { ...tokens, inputTokens, outputTokens: 10, ...(serviceTier && { serviceTier }) });
  expect([cost(20), cost(20, "flex"), cost(20, "priority")]).toEqual([160n, 80n, 320n]);
  // The list has no price for batches, nor for long calls at the cheap tier.
  expect([cost(20, "batch"), cost(200, "flex")]).toEqual([160n, cost(200)]);
  expect([cost(60, "priority"), cost(60, "flex")]).toEqual([800n, 160n]);
});

test("a call holds no more than the dearest tier at which it can be answered, and a line of a batch only what a batch costs", () => {
  const flat = { cachedInputPerMtok: 0n, cacheWritePerMtok: 0n, cacheWriteLongPerMtok: null };
  const at = (inputPerMtok: bigint) => ({ inputPerMtok, outputPerMtok: 0n, ...flat });
  const listed = price({
    ...at(4_000_000n),
    tiers: { flex: at(2_000_000n), priority: { ...at(8_000_000n), askedOnly: true }, batch: at(1_000_000n) },
  });
  const hold = (askedTier?: "default" | "flex" | "priority" | "batch") =>
    priceMaximum(listed, { inputTokens: 10, outputTokens: 0, ...(askedTier && { askedTier }) });
  expect([hold(), hold("default"), hold("flex"), hold("priority"), hold("batch")]).toEqual([40n, 40n, 40n, 80n, 10n]);
});

test("no usage costs more than the maximum of the tiers at which it can be answered", () => {
  const tiers = fc.record({ flex: tierPrices, priority: tierPrices, batch: tierPrices }, { requiredKeys: [] });
  const asked = fc.constantFrom(undefined, "default", "flex", "priority", "batch");
  const answers = {
    default: [undefined],
    flex: [undefined, "flex"],
    priority: [undefined, "priority"],
    batch: ["batch"],
  } as const;
  fc.assert(
    fc.property(lists, tiers, usages, asked, (list, own, use, askedTier) => {
      const full = { ...list, tiers: own };
      const open = (["flex", "priority"] as const).filter((tier) => own[tier]?.askedOnly !== true);
      const bounds = { ...use, ...(askedTier && { askedTier }) };
      for (const serviceTier of askedTier === undefined ? [undefined, ...open] : answers[askedTier]) {
        const cost = priceUsage(full, { ...use, ...(serviceTier && { serviceTier }) });
        expect(cost <= priceMaximum(full, bounds)).toBe(true);
        const fitting = maxOutputTokensFor(full, bounds, cost);
        expect(fitting === null || priceMaximum(full, { ...bounds, outputTokens: fitting }) <= cost).toBe(true);
      }
    }),
    { numRuns: 3_000 },
  );
});
