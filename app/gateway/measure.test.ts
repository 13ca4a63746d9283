import { expect, test } from "vitest";
import { aPrice } from "~/domain/routing/__fixtures__/lanes";
import { NO_USAGE, type Usage } from "./canonical/usage";
import { readChat } from "./dialects/chat/read";
import { ChatStreamReader } from "./dialects/chat/stream";
import type { Dialect } from "./dialects/dialect";
import { type Measurable, measured } from "./measure";
import type { PricedLane } from "./plan";

const bounds = { inputTokens: 1_000, outputTokens: 1_000 };
const ask = readChat(JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "hello" }] }));
const lane = { price: aPrice() } as PricedLane;
const dialect = { promptText: () => "one two three four five" } as unknown as Dialect;
const measure = (end: Measurable) => measured(ask, bounds, dialect, { ...end, lane });

const usage = (more: Partial<Usage>): Usage => ({ ...NO_USAGE, ...more });

test("a stream that counts in every event and broke before it began to count is charged by what came", async () => {
  const reader = new ChatStreamReader(false);
  const piece = `{"choices":[{"delta":{"content":"word and word "}}],"usage":{"prompt_tokens":0,"completion_tokens":0}}`;
  for (let pieces = 0; pieces < 50; pieces += 1) reader.push(Buffer.from(`data: ${piece}\n\n`));
  const found = await measure({ usage: reader.usage, outputText: () => reader.outputText() });
  expect(found).toMatchObject({ source: "estimated", usage: { inputTokens: 5, outputTokens: 151 } });
});

test("what went in is the supplier's figure, when only that was told", async () => {
  const early = usage({ inputTokens: 40, cachedInputTokens: 30 });
  const found = await measure({ usage: early, outputText: () => "word ".repeat(20) });
  expect(found).toMatchObject({
    source: "estimated",
    usage: { inputTokens: 40, cachedInputTokens: 30, outputTokens: 21 },
  });
});

test("no output is believed where none came", async () => {
  const found = await measure({ usage: usage({ inputTokens: 9 }), outputText: () => "" });
  expect(found).toMatchObject({ source: "supplier", usage: { inputTokens: 9, outputTokens: 0 }, refused: null });
});
