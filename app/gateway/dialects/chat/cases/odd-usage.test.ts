import { expect, test } from "vitest";
import type { Usage } from "../../../canonical/usage";
import { ChatStreamReader } from "../stream";
import { readChatUsage } from "../usage";

const PLAIN = { prompt_tokens: 100, completion_tokens: 5 };

test.each<[string, object, Partial<Usage>]>([
  ["beside the totals", { ...PLAIN, cached_tokens: 60 }, { cachedInputTokens: 60 }],
  ["by its number", { ...PLAIN, num_cached_tokens: 60 }, { cachedInputTokens: 60 }],
  ["as hits", { ...PLAIN, prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40 }, { cachedInputTokens: 60 }],
  [
    "as the messages format has it",
    { ...PLAIN, cache_read_input_tokens: 60, cache_creation_input_tokens: 30 },
    { cachedInputTokens: 60, cacheWriteTokens: 30 },
  ],
  [
    "as the responses format has it",
    { input_tokens: 100, output_tokens: 5, input_tokens_details: { cached_tokens: 60 } },
    { inputTokens: 100, outputTokens: 5, cachedInputTokens: 60 },
  ],
  [
    "in two places, of which one stays at zero",
    { ...PLAIN, cached_tokens: 60, prompt_tokens_details: { cached_tokens: 0, cache_creation_tokens: 30 } },
    { cachedInputTokens: 60, cacheWriteTokens: 30 },
  ],
  [
    "in the same figure twice",
    { ...PLAIN, cached_tokens: 60, prompt_tokens_details: { cached_tokens: 60 } },
    { cachedInputTokens: 60 },
  ],
])("what came from the cache is read %s", (_place, wire, expected) => {
  expect(readChatUsage(wire)).toMatchObject({ inputTokens: 100, outputTokens: 5, ...expected });
});

test.each([
  { ...PLAIN, cached_tokens: -1 },
  { ...PLAIN, cached_tokens: 101 },
  { ...PLAIN, cache_read_input_tokens: 60, cache_creation_input_tokens: 60 },
])("nonsense about the cache is not believed: %j", (wire) => expect(readChatUsage(wire)).toBeNull());

test("of totals that grow with every chunk the last ones count, and none is shown that was not asked for", () => {
  const reader = new ChatStreamReader(false);
  const shown = [1, 2, 3].map((completion_tokens) => {
    const choices = [{ index: 0, delta: { content: "a" }, finish_reason: completion_tokens === 3 ? "stop" : null }];
    const usage = { prompt_tokens: 9, completion_tokens, total_tokens: 9 + completion_tokens };
    return reader.push(Buffer.from(`data: ${JSON.stringify({ choices, usage })}\n\n`))?.toString();
  });
  expect(reader.usage).toMatchObject({ inputTokens: 9, outputTokens: 3 });
  expect(shown.join("")).not.toContain("usage");
});
