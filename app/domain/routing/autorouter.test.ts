import { describe, expect, test } from "vitest";
import { aModel } from "./__fixtures__/routes";
import { type AutoCandidate, type Needs, preferKnownAble, rankModels, whyUnfit } from "./autorouter";

const candidate = (
  id: string,
  more: Partial<AutoCandidate> & { quality?: number; tools?: boolean } = {},
): AutoCandidate => {
  const { quality, tools, ...rest } = more;
  return {
    model: aModel({ id, quality, tools }),
    estimatedNanoUsd: 1_000n,
    firstByteMs: null,
    health: 1,
    ready: true,
    listPriceNanoUsd: 1_000n,
    ...rest,
  };
};
const ids = (ranked: readonly AutoCandidate[]) => ranked.map(({ model }) => model.id);
const NEEDS: Needs = { tools: false, images: false, inputTokens: 100, maxOutputTokens: null };

describe("the algorithms", () => {
  const small = candidate("small", { estimatedNanoUsd: 100n, listPriceNanoUsd: 100n, firstByteMs: 500, quality: 30 });
  const quick = candidate("quick", { estimatedNanoUsd: 300n, listPriceNanoUsd: 300n, firstByteMs: 100, quality: 50 });
  const great = candidate("great", {
    estimatedNanoUsd: 2_000n,
    listPriceNanoUsd: 2_000n,
    firstByteMs: 900,
    quality: 95,
  });
  const all = [great, quick, small];

  test("each puts first what it is named after", () => {
    expect(ids(rankModels("cheapest", all))).toEqual(["small", "quick", "great"]);
    expect(ids(rankModels("fastest", all))).toEqual(["quick", "small", "great"]);
    expect(ids(rankModels("quality", all))).toEqual(["great", "quick", "small"]);
    expect(rankModels("balanced", all)[0]!.model.id).toBe("small");
  });

  test("an ill model falls behind, and one that cannot be used comes last", () => {
    expect(ids(rankModels("cheapest", [{ ...small, health: 0.1 }, quick]))).toEqual(["quick", "small"]);
    expect(ids(rankModels("cheapest", [{ ...small, ready: false }, great]))).toEqual(["great", "small"]);
  });

  test("quality that nobody has stated is judged by price", () => {
    const unstated = [candidate("cheap", { listPriceNanoUsd: 10n }), candidate("dear", { listPriceNanoUsd: 900n })];
    expect(ids(rankModels("quality", unstated))).toEqual(["dear", "cheap"]);
  });

  test("ties go by price and name, whatever the order", () => {
    const same = [candidate("b"), candidate("a"), candidate("c", { estimatedNanoUsd: 999n })];
    expect(ids(rankModels("fastest", same))).toEqual(["c", "a", "b"]);
    expect(ids(rankModels("fastest", same.toReversed()))).toEqual(["c", "a", "b"]);
  });

  test("free models are no division by zero", () => {
    const free = [candidate("free", { estimatedNanoUsd: 0n, listPriceNanoUsd: 0n }), candidate("paid")];
    expect(ids(rankModels("cheapest", free))).toEqual(["free", "paid"]);
    for (const { score } of rankModels("balanced", free)) expect(score).toBeGreaterThanOrEqual(0);
  });
});

describe("what a request needs", () => {
  test("keeps out what cannot do it", () => {
    expect(whyUnfit(aModel({ auto: false }), NEEDS)).toBe("not_for_auto");
    expect(whyUnfit(aModel({ tools: false }), { ...NEEDS, tools: true })).toBe("tools");
    expect(whyUnfit(aModel({ images: false }), { ...NEEDS, images: true })).toBe("images");
    expect(whyUnfit(aModel({ contextTokens: 99 }), NEEDS)).toBe("context");
    expect(whyUnfit(aModel({ contextTokens: 5_000 }), { ...NEEDS, maxOutputTokens: 4_950 })).toBe("context");
    expect(whyUnfit(aModel(), { ...NEEDS, maxOutputTokens: 4_001 })).toBe("output");
    expect(whyUnfit(aModel(), { ...NEEDS, tools: true, images: true })).toBeNull();
  });

  test("models known to be able come before models of which nobody has said", () => {
    const able = candidate("able", { tools: true });
    const unknown = candidate("unknown");
    const needs = { ...NEEDS, tools: true };
    expect(preferKnownAble([unknown, able], needs)).toEqual({
      staying: [able],
      leaving: [{ model: "unknown", why: "tools" }],
    });
    expect(preferKnownAble([unknown], needs).staying).toEqual([unknown]);
    expect(preferKnownAble([unknown, able], NEEDS).leaving).toEqual([]);
  });
});
