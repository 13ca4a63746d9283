import { expect, test } from "vitest";
import { MessagesUsageMeter, readMessagesUsage } from "./usage";

const totals = { input_tokens: 10, output_tokens: 5 };
const compaction = {
  type: "compaction",
  input_tokens: 1_000,
  output_tokens: 100,
  cache_read_input_tokens: 200,
  cache_creation_input_tokens: 30,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 30 },
};

test("what it took to compact a conversation is billed, although the totals leave it out", () => {
  expect(readMessagesUsage({ ...totals, iterations: [compaction, { type: "message", ...totals }] })).toEqual({
    inputTokens: 10 + 1_000 + 200 + 30,
    cachedInputTokens: 200,
    cacheWriteTokens: 30,
    cacheWriteLongTokens: 30,
    outputTokens: 105,
    reasoningTokens: 0,
  });
});

test.each([[null], [[]], [[{ type: "message", ...totals }]], [[null]]])(
  "other steps are in the totals already: %j",
  (iterations) => {
    expect(readMessagesUsage({ ...totals, iterations })).toEqual(readMessagesUsage(totals));
  },
);

test("a compaction of nonsense makes nonsense of the whole", () => {
  expect(readMessagesUsage({ ...totals, iterations: [{ ...compaction, input_tokens: -1 }] })).toBeNull();
});

test("of a stream later figures replace earlier ones, and those that are left out or empty stay", () => {
  const meter = new MessagesUsageMeter();
  meter.opening({ input_tokens: 10, cache_read_input_tokens: 4, output_tokens: 1 });
  expect(meter.usage).toBeNull();
  expect(meter.promptUsage).toMatchObject({ inputTokens: 14, cachedInputTokens: 4, outputTokens: 0 });
  meter.total({ input_tokens: null, cache_read_input_tokens: null, output_tokens: 7 });
  meter.total(null);
  expect(meter.usage).toMatchObject({ inputTokens: 14, cachedInputTokens: 4, outputTokens: 7 });
  meter.total({ input_tokens: 20, output_tokens: 8 });
  expect(meter.usage).toMatchObject({ inputTokens: 24, cachedInputTokens: 4, outputTokens: 8 });
});

test("of a stream a zero does not take back what went in, and without a total what came out is not known", () => {
  const meter = new MessagesUsageMeter();
  meter.opening({ input_tokens: 10, cache_read_input_tokens: 4, output_tokens: 1 });
  meter.total({ input_tokens: 0, cache_read_input_tokens: 0 });
  expect(meter.usage).toBeNull();
  expect(meter.promptUsage).toMatchObject({ inputTokens: 14 });
  meter.total({ input_tokens: 0, output_tokens: 7 });
  expect(meter.usage).toMatchObject({ inputTokens: 14, cachedInputTokens: 4, outputTokens: 7 });
});
