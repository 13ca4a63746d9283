import { readFileSync } from "node:fs";
import { calcPrice, findProvider, type Usage } from "@pydantic/genai-prices";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Extent, priceUsage, type TokenCounts } from "~/domain/pricing/price-usage";
import type { FilePrice } from "../file/file-schema";
import type { PriceList } from "../shared";
import { PRESETS } from "./presets";
import { filePriceOf, listedModel, listedModels } from "./price-catalogue";
import { RELEASED_PRICES } from "./price-list";

const AT = new Date("2026-11-23T12:00:00Z");

test("the snapshot that is shown is the package that is installed", () => {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> };
  expect(dependencies["@pydantic/genai-prices"]).toBe(RELEASED_PRICES.version);
});

test("every provider with prices has models, each with a price and with limits", () => {
  for (const [name, preset] of Object.entries(PRESETS)) {
    const listed = listedModels(preset, AT);
    if (["azure", "ollama"].includes(name)) expect(listed).toEqual([]);
    else expect(listed.length, name).toBeGreaterThanOrEqual(2);
    for (const { apiName, contextTokens, maxOutputTokens, price } of listed) {
      expect(contextTokens, apiName).toBeGreaterThan(1_000);
      expect(maxOutputTokens, apiName).toBeLessThanOrEqual(contextTokens);
      expect(price.input_per_mtok, apiName).toBeDefined();
    }
  }
});

test("a provider offers what its own API answers for, not what its owner sells elsewhere", () => {
  const namesOf = (preset: keyof typeof PRESETS) => listedModels(PRESETS[preset], AT).map(({ apiName }) => apiName);
  expect(namesOf("gemini").filter((name) => !name.startsWith("gemini-"))).toEqual([]);
  expect(namesOf("anthropic").filter((name) => !name.startsWith("claude-"))).toEqual([]);
  expect(namesOf("bedrock").filter((name) => /^regional\.|sonic|titan|safeguard/.test(name))).toEqual([]);
  expect(namesOf("bedrock")).toEqual(
    expect.arrayContaining(["amazon.nova-pro-v1:0", "global.anthropic.claude-opus-4-5-20251101-v1:0"]),
  );
  expect(namesOf("mistral").filter((name) => !/-(latest|\d{4}|embed)$/.test(name))).toEqual([]);
});

test("a price that begins on a day or holds for some hours is the one of the moment", () => {
  const inputAt = (model: string, preset: keyof typeof PRESETS, at: string) =>
    listedModel(PRESETS[preset], model, new Date(at))!.price.input_per_mtok;
  expect(inputAt("gemini-3.6-flash", "gemini", "2026-12-31T23:59:59Z")).toBe(750_000_000n);
  expect(inputAt("gemini-3.6-flash", "gemini", "2027-01-01T00:00:00Z")).toBe(1_500_000_000n);
  expect(inputAt("deepseek-v4-pro", "deepseek", "2026-11-23T00:59:00Z")).toBe(660_000_000n);
  expect(inputAt("deepseek-v4-pro", "deepseek", "2026-11-23T01:00:00Z")).toBe(1_320_000_000n);
});

test("a model that the list calls deprecated is offered no more, and says so where a file names it", () => {
  const old = Object.values(PRESETS).flatMap((preset) =>
    (preset.prices === null ? [] : (findProvider({ providerId: preset.prices })?.models ?? []))
      .filter(({ deprecated }) => deprecated)
      .map(({ id }) => ({ id, preset, listed: listedModel(preset, id, AT) })),
  );
  const priced = old.filter(({ listed }) => listed !== null);
  expect(priced.length).toBeGreaterThan(0);
  for (const { id, preset, listed } of priced) {
    expect(listed!.lifecycle, id).toBe("deprecated");
    expect(listedModels(preset, AT).map(({ apiName }) => apiName)).not.toContain(id);
  }
});

test("a name that nobody has a price for has none", () => {
  expect(listedModel(PRESETS.openai, "nobody-knows-this", AT)).toBeNull();
  expect(listedModel(PRESETS.ollama, "llama3", AT)).toBeNull();
});

/** The price list that the gateway reads after the price is stored. */
function priceListOf(price: FilePrice): PriceList {
  const input = price.input_per_mtok!;
  return {
    version: 1,
    inputPerMtok: input,
    outputPerMtok: price.output_per_mtok ?? 0n,
    cachedInputPerMtok: price.cached_input_per_mtok ?? input,
    cacheWritePerMtok: price.cache_write_per_mtok ?? input,
    cacheWriteLongPerMtok: price.cache_write_1h_per_mtok ?? null,
    perRequest: price.per_request ?? 0n,
    perSecond: 0n,
    perMchar: 0n,
    audioInputPerMtok: price.audio_input_per_mtok ?? null,
    audioOutputPerMtok: price.audio_output_per_mtok ?? null,
    perToolUse: price.per_tool_use ?? null,
    longContext: (price.long_context ?? []).map((each) => ({
      aboveInputTokens: each.above_input_tokens,
      inputPerMtok: each.input_per_mtok,
      outputPerMtok: each.output_per_mtok,
      cachedInputPerMtok: each.cached_input_per_mtok ?? each.input_per_mtok,
      cacheWritePerMtok: each.cache_write_per_mtok ?? each.input_per_mtok,
      cacheWriteLongPerMtok: each.cache_write_1h_per_mtok ?? null,
    })),
  };
}

/** Whether all decimals of the package are whole nano-dollars per million tokens: one third of a dollar is not. */
const isExact = (price: object) =>
  [...JSON.stringify(price).matchAll(/\d+\.(\d+)/g)].every(([, digits]) => digits!.length <= 9);

/** The charge calculated by the package, rounded up once without the error of the float. */
const nanoUsdOf = (usd: number): bigint => BigInt(Math.ceil(Number((usd * 1e9).toPrecision(14))));

/**
 * A part without a price of its own is charged as the whole, by the package and by gw. Uses only parts that a price
 * list names.
 */
function usageFor(price: PriceList, listed: object, use: Shape): { ours: TokenCounts & Extent; theirs: Usage } {
  const cached = Math.floor(use.input * use.cached);
  const written = Math.floor((use.input - cached) * use.written);
  const long = "cache_write_1h_mtok" in listed ? Math.floor(written * use.long) : 0;
  const heard = price.audioInputPerMtok === null ? 0 : Math.floor((use.input - cached - written) * use.heard);
  const spoken = price.audioOutputPerMtok === null ? 0 : Math.floor(use.output * use.heard);
  const searches = price.perToolUse === null ? 0 : use.searches;
  return {
    ours: {
      inputTokens: use.input,
      cachedInputTokens: cached,
      cacheWriteTokens: written,
      outputTokens: use.output,
      cacheWriteLongTokens: long,
      audioInputTokens: heard,
      audioOutputTokens: spoken,
      toolUses: searches,
    },
    theirs: {
      input_tokens: use.input,
      output_tokens: use.output,
      cache_read_tokens: cached,
      cache_write_tokens: written,
      ...(long === 0 ? {} : { cache_write_1h_tokens: long }),
      ...(heard === 0 ? {} : { input_audio_tokens: heard }),
      // Suppliers do not report cached audio tokens; gw charges them as audio.
      ...("cache_audio_read_mtok" in listed ? { cache_audio_read_tokens: 0 } : {}),
      ...(spoken === 0 ? {} : { output_audio_tokens: spoken }),
      ...(searches === 0 ? {} : { web_searches: searches }),
    },
  };
}

const shapes = fc.record({
  input: fc.oneof(fc.nat(20_000), fc.integer({ min: 190_000, max: 300_000 })),
  output: fc.nat(64_000),
  cached: fc.constantFrom(0, 0.25, 1),
  written: fc.constantFrom(0, 0, 0.5),
  long: fc.constantFrom(0, 0.3),
  heard: fc.constantFrom(0, 0.1),
  searches: fc.nat(3),
});
type Shape = typeof shapes extends fc.Arbitrary<infer Value> ? Value : never;

test("three hundred models and more, twenty usages each: gw charges what the library does, to the nano-dollar", () => {
  const providers = [
    "openai",
    "anthropic",
    "google",
    "mistral",
    "groq",
    "deepseek",
    "x-ai",
    "cohere",
    "openrouter",
    "aws",
  ];
  let models = 0;
  for (const providerId of providers) {
    for (const { id } of findProvider({ providerId })!.models) {
      const found = calcPrice({ input_tokens: 0 }, id, { providerId, timestamp: AT });
      const price = found && isExact(found.model_price) && filePriceOf(found.model_price);
      if (!price) continue;
      models += 1;
      const list = priceListOf(price);
      fc.assert(
        fc.property(shapes, (use) => {
          const { ours, theirs } = usageFor(list, found.model_price, use);
          const { total_price } = calcPrice(theirs, id, { providerId, timestamp: AT })!;
          expect(priceUsage(list, ours), `${providerId} ${id} ${JSON.stringify(theirs)}`).toBe(nanoUsdOf(total_price));
        }),
        { numRuns: 20 },
      );
    }
  }
  expect(models).toBeGreaterThanOrEqual(300);
}, 60_000);

test("tiers are priced beside the ordinary prices they were published with, and not beside others", () => {
  const tiersOf = (model: string, preset: keyof typeof PRESETS = "openai", at = AT) =>
    listedModel(PRESETS[preset], model, at)!.price.tiers;
  const priced = listedModels(PRESETS.openai, AT).filter(({ price }) => price.tiers !== undefined);
  expect(priced.length).toBeGreaterThanOrEqual(15);
  for (const { price, apiName } of priced) {
    const { flex, priority, batch } = price.tiers!;
    for (const cheaper of [flex, batch]) {
      if (cheaper) expect(cheaper.input_per_mtok * 2n, apiName).toBe(price.input_per_mtok);
      if (cheaper) expect(cheaper.output_per_mtok * 2n, apiName).toBe(price.output_per_mtok);
    }
    if (priority) expect(priority.output_per_mtok > price.output_per_mtok!, apiName).toBe(true);
  }
  expect(tiersOf("gpt-5.4-2026-03-05")).toEqual(tiersOf("gpt-5.4"));
  expect(tiersOf("gpt-5.4")!.priority).toEqual({
    input_per_mtok: 5_000_000_000n,
    cached_input_per_mtok: 500_000_000n,
    output_per_mtok: 30_000_000_000n,
    asked_only: true,
  });
  // Its ordinary price has fallen since the prices of its tiers were published.
  expect(tiersOf("gpt-5.6-sol")).toBeUndefined();
  expect(tiersOf("gemini-3.7-flash", "gemini", new Date("2027-02-01"))!.priority).toMatchObject({
    input_per_mtok: 2_700_000_000n,
    cached_input_per_mtok: 270_000_000n,
  });
  expect(tiersOf("gemini-3.7-flash", "vertex")).toBeUndefined();
});
