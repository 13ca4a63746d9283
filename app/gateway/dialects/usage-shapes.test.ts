import { expect, test } from "vitest";
import type { PriceList } from "~/domain/catalogue/shared";
import { priceUsage } from "~/domain/pricing/index.server";
import { readChatUsage } from "./chat/usage";
import { readMessagesUsage } from "./messages/usage";
import { readNativeUsage } from "./native/usage";

// Usage objects as suppliers have sent them, and the cost of each by their own price lists: nano-USD, computed by hand.

/** Whole nano-USD per token, so that every sum below can be checked without a calculator. */
const list = (more: Partial<PriceList> = {}): PriceList => ({
  version: 1,
  inputPerMtok: 1_000_000n * 100n,
  outputPerMtok: 1_000_000n * 400n,
  cachedInputPerMtok: 1_000_000n * 10n,
  cacheWritePerMtok: 1_000_000n * 125n,
  perRequest: 0n,
  perSecond: 0n,
  perMchar: 0n,
  cacheWriteLongPerMtok: 1_000_000n * 200n,
  audioInputPerMtok: 1_000_000n * 1_000n,
  audioOutputPerMtok: 1_000_000n * 2_000n,
  perToolUse: 10_000_000n,
  ...more,
});

type Shape = [name: string, usage: unknown, cost: bigint | null, price?: PriceList];

const CHAT: Shape[] = [
  ["the plain three", { prompt_tokens: 13, completion_tokens: 7, total_tokens: 20 }, 1_300n + 2_800n],
  ["without a total", { prompt_tokens: 13, completion_tokens: 7 }, 4_100n],
  ["embeddings: no completion", { prompt_tokens: 8, total_tokens: 8 }, 800n],
  ["a prompt, and not a word about what came out", { prompt_tokens: 8 }, null],
  ["completion null", { prompt_tokens: 8, completion_tokens: null, total_tokens: 8 }, 800n],
  ["zero completion", { prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 }, 900n],
  ["all zero", { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, 0n],
  [
    "details empty",
    { prompt_tokens: 5, completion_tokens: 1, prompt_tokens_details: {}, completion_tokens_details: {} },
    900n,
  ],
  [
    "details null",
    { prompt_tokens: 5, completion_tokens: 1, prompt_tokens_details: null, completion_tokens_details: null },
    900n,
  ],
  [
    "a cached prompt",
    {
      prompt_tokens: 2_006,
      completion_tokens: 300,
      total_tokens: 2_306,
      prompt_tokens_details: { cached_tokens: 1_920 },
    },
    8_600n + 19_200n + 120_000n,
  ],
  [
    "a wholly cached prompt",
    { prompt_tokens: 1_024, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 1_024 } },
    10_240n + 400n,
  ],
  [
    "cached tokens null",
    { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: null } },
    1_400n,
  ],
  [
    "reasoning inside the completion",
    {
      prompt_tokens: 75,
      completion_tokens: 1_186,
      total_tokens: 1_261,
      completion_tokens_details: { reasoning_tokens: 1_024 },
    },
    7_500n + 474_400n,
  ],
  [
    "reasoning and predictions",
    {
      prompt_tokens: 20,
      completion_tokens: 50,
      completion_tokens_details: {
        reasoning_tokens: 0,
        accepted_prediction_tokens: 18,
        rejected_prediction_tokens: 10,
      },
    },
    2_000n + 20_000n,
  ],
  [
    "reasoning beside the completion, in the total only",
    { prompt_tokens: 32, completion_tokens: 9, total_tokens: 135, completion_tokens_details: { reasoning_tokens: 94 } },
    3_200n + 103n * 400n,
  ],
  [
    "thoughts that only the total knows",
    { prompt_tokens: 14, completion_tokens: 11, total_tokens: 225 },
    1_400n + 211n * 400n,
  ],
  ["a total below its parts", { prompt_tokens: 14, completion_tokens: 11, total_tokens: 3 }, 1_400n + 4_400n],
  ["a total that is no number", { prompt_tokens: 14, completion_tokens: 11, total_tokens: "25" }, 5_800n],
  [
    "hit and miss",
    {
      prompt_tokens: 100,
      completion_tokens: 10,
      total_tokens: 110,
      prompt_cache_hit_tokens: 64,
      prompt_cache_miss_tokens: 36,
    },
    3_600n + 640n + 4_000n,
  ],
  [
    "hit, miss and details that agree",
    {
      prompt_tokens: 100,
      completion_tokens: 10,
      prompt_cache_hit_tokens: 64,
      prompt_cache_miss_tokens: 36,
      prompt_tokens_details: { cached_tokens: 64 },
    },
    8_240n,
  ],
  [
    "an aggregator with its price",
    {
      prompt_tokens: 194,
      completion_tokens: 2,
      total_tokens: 196,
      cost: 0.95,
      is_byok: false,
      cost_details: { upstream_inference_cost: null },
    },
    19_400n + 800n,
  ],
  [
    "an aggregator with cache and reasoning",
    {
      prompt_tokens: 10_339,
      completion_tokens: 60,
      total_tokens: 10_399,
      prompt_tokens_details: { cached_tokens: 10_318, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
      cost: 0.0001,
    },
    2_100n + 103_180n + 24_000n,
  ],
  [
    "an aggregator's cache write",
    {
      prompt_tokens: 2_000,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 1_500 },
    },
    50_000n + 187_500n + 400n,
  ],
  [
    "an aggregator's search",
    { prompt_tokens: 50, completion_tokens: 10, server_tool_use: { web_search_requests: 2 } },
    5_000n + 4_000n + 20_000_000n,
  ],
  [
    "sound in",
    { prompt_tokens: 60, completion_tokens: 10, prompt_tokens_details: { audio_tokens: 40, text_tokens: 20 } },
    2_000n + 40_000n + 4_000n,
  ],
  [
    "sound out",
    { prompt_tokens: 17, completion_tokens: 500, completion_tokens_details: { audio_tokens: 440, text_tokens: 60 } },
    1_700n + 880_000n + 24_000n,
  ],
  [
    "sound both ways",
    {
      prompt_tokens: 30,
      completion_tokens: 20,
      prompt_tokens_details: { audio_tokens: 30, cached_tokens: 0 },
      completion_tokens_details: { audio_tokens: 20 },
    },
    30_000n + 40_000n,
  ],
  [
    "sound without a price of its own",
    {
      prompt_tokens: 30,
      completion_tokens: 20,
      prompt_tokens_details: { audio_tokens: 30 },
      completion_tokens_details: { audio_tokens: 20 },
    },
    3_000n + 8_000n,
    list({ audioInputPerMtok: null, audioOutputPerMtok: null }),
  ],
  [
    "timings beside it",
    {
      prompt_tokens: 18,
      completion_tokens: 4,
      total_tokens: 22,
      queue_time: 0.02,
      prompt_time: 0.001,
      completion_time: 0.004,
    },
    3_400n,
  ],
  [
    "a cheap model rounds up once",
    { prompt_tokens: 1, completion_tokens: 1 },
    1n,
    list({ inputPerMtok: 1n, outputPerMtok: 1n }),
  ],
  ["a price by request beside tokens", { prompt_tokens: 1, completion_tokens: 1 }, 500n + 7n, list({ perRequest: 7n })],
  ["nothing", null, null],
  ["a text", "12 tokens", null],
  ["an empty object", {}, null],
  ["negative", { prompt_tokens: -5, completion_tokens: 7 }, null],
  ["a negative completion", { prompt_tokens: 5, completion_tokens: -7 }, null],
  ["a fraction", { prompt_tokens: 5.5, completion_tokens: 7 }, null],
  [
    "more cached than there was",
    { prompt_tokens: 5, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 6 } },
    null,
  ],
  [
    "more sound than there was",
    { prompt_tokens: 5, completion_tokens: 7, prompt_tokens_details: { audio_tokens: 6 } },
    null,
  ],
  ["a number too large to be one", { prompt_tokens: 1e300, completion_tokens: 7 }, null],
];

const MESSAGES: Shape[] = [
  ["the plain two", { input_tokens: 25, output_tokens: 15 }, 2_500n + 6_000n],
  [
    "with tier and geography",
    { input_tokens: 25, output_tokens: 15, service_tier: "standard", inference_geo: "not_available" },
    8_500n,
  ],
  [
    "cache fields null",
    {
      input_tokens: 25,
      output_tokens: 15,
      cache_creation_input_tokens: null,
      cache_read_input_tokens: null,
      server_tool_use: null,
    },
    8_500n,
  ],
  [
    "read from the cache",
    { input_tokens: 21, cache_creation_input_tokens: 0, cache_read_input_tokens: 188_086, output_tokens: 393 },
    2_100n + 1_880_860n + 157_200n,
  ],
  [
    "written to the cache",
    { input_tokens: 21, cache_creation_input_tokens: 188_086, cache_read_input_tokens: 0, output_tokens: 393 },
    2_100n + 188_086n * 125n + 157_200n,
  ],
  [
    "written for five minutes",
    {
      input_tokens: 50,
      cache_creation_input_tokens: 248,
      cache_read_input_tokens: 1_800,
      output_tokens: 503,
      cache_creation: { ephemeral_5m_input_tokens: 248, ephemeral_1h_input_tokens: 0 },
    },
    5_000n + 31_000n + 18_000n + 201_200n,
  ],
  [
    "written for both",
    {
      input_tokens: 2_048,
      cache_read_input_tokens: 1_800,
      cache_creation_input_tokens: 248,
      output_tokens: 503,
      cache_creation: { ephemeral_5m_input_tokens: 148, ephemeral_1h_input_tokens: 100 },
    },
    204_800n + 18_000n + 148n * 125n + 100n * 200n + 201_200n,
  ],
  [
    "an hour without a price of its own",
    {
      input_tokens: 0,
      cache_creation_input_tokens: 100,
      output_tokens: 1,
      cache_creation: { ephemeral_1h_input_tokens: 100 },
    },
    20_000n + 400n,
    list({ cacheWriteLongPerMtok: null }),
  ],
  [
    "a search",
    {
      input_tokens: 105,
      output_tokens: 6_039,
      cache_read_input_tokens: 7_123,
      cache_creation_input_tokens: 7_345,
      server_tool_use: { web_search_requests: 1 },
    },
    10_500n + 6_039n * 400n + 71_230n + 7_345n * 125n + 10_000_000n,
  ],
  [
    "searches and fetches",
    { input_tokens: 10, output_tokens: 1, server_tool_use: { web_search_requests: 3, web_fetch_requests: 2 } },
    1_000n + 400n + 30_000_000n,
  ],
  ["no search", { input_tokens: 10, output_tokens: 1, server_tool_use: { web_search_requests: 0 } }, 1_400n],
  [
    "thinking inside the output",
    { input_tokens: 10, output_tokens: 900, output_tokens_details: { thinking_tokens: 850 } },
    1_000n + 360_000n,
  ],
  ["nothing generated", { input_tokens: 10, output_tokens: 0 }, 1_000n],
  [
    "more kept for an hour than written",
    {
      input_tokens: 10,
      output_tokens: 1,
      cache_creation_input_tokens: 5,
      cache_creation: { ephemeral_1h_input_tokens: 6 },
    },
    null,
  ],
  ["negative searches", { input_tokens: 10, output_tokens: 1, server_tool_use: { web_search_requests: -1 } }, null],
  ["a negative cache", { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: -1 }, null],
  [
    "more thinking than output",
    { input_tokens: 10, output_tokens: 1, output_tokens_details: { thinking_tokens: 2 } },
    null,
  ],
];

const NATIVE: Shape[] = [
  ["the plain three", { input_tokens: 37, output_tokens: 11, total_tokens: 48 }, 3_700n + 4_400n],
  [
    "with both details",
    {
      input_tokens: 328,
      input_tokens_details: { cached_tokens: 256 },
      output_tokens: 52,
      output_tokens_details: { reasoning_tokens: 32 },
      total_tokens: 380,
    },
    7_200n + 2_560n + 20_800n,
  ],
  [
    "details null",
    { input_tokens: 37, input_tokens_details: null, output_tokens: 11, output_tokens_details: null },
    8_100n,
  ],
  [
    "a cache write",
    { input_tokens: 100, input_tokens_details: { cached_tokens: 10, cache_write_tokens: 50 }, output_tokens: 1 },
    4_000n + 100n + 6_250n + 400n,
  ],
  [
    "more cached than there was",
    { input_tokens: 5, input_tokens_details: { cached_tokens: 6 }, output_tokens: 1 },
    null,
  ],
  ["negative", { input_tokens: -1, output_tokens: 1 }, null],
];

const read = (reader: (wire: unknown) => Parameters<typeof priceUsage>[1] | null) => (shape: Shape) => ({
  reader,
  shape,
});
const ALL = [
  ...CHAT.map(read(readChatUsage)),
  ...MESSAGES.map(read(readMessagesUsage)),
  ...NATIVE.map(read(readNativeUsage)),
];

test(`${ALL.length} shapes cost what their suppliers ask, to the nano-dollar; nonsense is nobody's bill`, () => {
  expect(ALL.length).toBeGreaterThanOrEqual(60);
  for (const { reader, shape } of ALL) {
    const [name, wire, cost, price = list()] = shape;
    const usage = reader(wire);
    expect(usage === null ? null : priceUsage(price, usage), name).toBe(cost);
  }
});
