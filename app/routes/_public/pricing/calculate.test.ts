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
  expect(result).toMatchObject({ each: 1_200_000n, day: 1_200_000_000n, month: 36_000_000_000n });
});

test("each part at its own price", () => {
  const { result } = asked("model=talker&in=1000&cached=400&out=100&requests=50000000");
  expect(result?.lines).toEqual([
    { part: "fresh", count: 600, nanoUsd: 300_000n },
    { part: "cached", count: 400, nanoUsd: 20_000n },
    { part: "output", count: 100, nanoUsd: 150_000n },
  ]);
  expect(result).toMatchObject({ each: 470_000n, day: 23_500_000_000_000n, month: 705_000_000_000_000n });
});

test("a sum below a cent stays exact", () => {
  expect(asked("model=hearer&seconds=1&requests=3").result).toMatchObject({ each: 100_000n, day: 300_000n });
});

test.each(["in=-1", "in=1e9", "in=99999999999999999999", "in=abc&requests=%00", "model=nobody"])(
  "%s does no harm",
  (query) => {
    expect(asked(query)).toMatchObject({ model: "talker", result: { each: 1_200_000n } });
  },
);

test("more cached tokens than input are cut to it", () => {
  expect(asked("in=100&cached=900&out=0&requests=1").result?.lines).toEqual([
    { part: "cached", count: 100, nanoUsd: 5_000n },
  ]);
});

test("without models there is nothing to calculate", () => {
  expect(calculate(new URLSearchParams(), [], () => null).result).toBeNull();
});
