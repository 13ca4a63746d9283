import { expect, test } from "vitest";
import type { PriceList } from "~/domain/catalogue/shared";
import { calculate } from "./calculate.server";

const nothing = { inputPerMtok: 0n, outputPerMtok: 0n, cachedInputPerMtok: 0n, cacheWritePerMtok: 0n };
const free: PriceList = { version: 1, ...nothing, perRequest: 0n, perSecond: 0n, perMchar: 0n };
const PRICES: Readonly<Record<string, PriceList>> = {
  talker: { ...free, inputPerMtok: 500_000_000n, cachedInputPerMtok: 50_000_000n, outputPerMtok: 1_500_000_000n },
  hearer: { ...free, perSecond: 100_000n },
  broken: { ...free, inputPerMtok: 1n },
};
const MODELS = [
  { id: "broken", capability: "chat", isFault: true },
  { id: "hearer", capability: "transcription", isFault: false },
  { id: "talker", capability: "chat", isFault: false },
] as const;
const asked = (query: string) => calculate(new URLSearchParams(query), MODELS, (id) => PRICES[id] ?? null);

test("without a question, a chat model and numbers that make sense", () => {
  const { model, models, fields, result } = asked("");
  expect(model).toBe("talker");
  expect(models).toEqual(["hearer", "talker"]);
  expect(fields.map(({ name, value }) => [name, value])).toEqual([
    ["in", 1_200],
    ["cached", 0],
    ["out", 400],
    ["requests", 1_000],
  ]);
  expect(result).toMatchObject({ each: "0.0012", day: "1.20", month: "36.00" });
});

test("each part at its own price, sums in cents, thousands apart", () => {
  const { result } = asked("model=talker&in=1000&cached=400&out=100&requests=50000000");
  expect(result?.lines).toEqual([
    { name: "600 fresh input tokens", amount: "0.0003" },
    { name: "400 cached input tokens", amount: "0.00002" },
    { name: "100 output tokens", amount: "0.00015" },
  ]);
  expect(result).toMatchObject({ each: "0.00047", day: "23,500.00", month: "705,000.00" });
});

test("a sum below a cent stays exact", () => {
  expect(asked("model=hearer&seconds=1&requests=3").result).toMatchObject({ each: "0.0001", day: "0.0003" });
});

test.each(["in=-1", "in=1e9", "in=99999999999999999999", "in=abc&requests=%00", "model=nobody"])(
  "%s does no harm",
  (query) => {
    expect(asked(query)).toMatchObject({ model: "talker", result: { each: "0.0012" } });
  },
);

test("more cached tokens than input are cut to it", () => {
  expect(asked("in=100&cached=900&out=0&requests=1").result?.lines).toEqual([
    { name: "100 cached input tokens", amount: "0.000005" },
  ]);
});

test("without models there is nothing to calculate", () => {
  expect(calculate(new URLSearchParams(), [], () => null).result).toBeNull();
});
