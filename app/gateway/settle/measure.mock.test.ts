import { describe, expect, test, vi } from "vitest";
import { aRoute } from "~/domain/routing/__fixtures__/routes";
import { NO_USAGE, type Usage } from "../canonical/usage";
import { readChat } from "../dialects/chat/read";
import { ChatStreamReader } from "../dialects/chat/stream";
import type { Dialect } from "../dialects/dialect";
import type { PricedRoute } from "../route/route-plan";
import { isPlausible, type Measurable, measured } from "./measure";

const log = vi.hoisted(() => ({ warn: vi.fn() }));
vi.mock("~/observe/log.server", () => ({ log }));

const bounds = { inputTokens: 1_000, outputTokens: 1_000 };
const inference = readChat(
  JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "hello" }] }),
);
const route = aRoute() as PricedRoute;
const dialect = { promptText: () => "one two three four five" } as unknown as Dialect;
const measure = (end: Measurable) => measured({ inference, dialect }, bounds, { ...end, route });

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

test("a prompt of no tokens is not believed: it is counted, and what came out is the supplier's figure", async () => {
  const told = usage({ outputTokens: 40, reasoningTokens: 30 });
  const found = await measure({ usage: told, outputText: () => "word" });
  expect(found).toMatchObject({
    source: "estimated",
    usage: { inputTokens: 5, outputTokens: 40, reasoningTokens: 30 },
    refused: told,
  });
});

test("nor is one of an answer without text, such as vectors", async () => {
  expect((await measure({ usage: usage({}), outputText: () => "" })).usage.inputTokens).toBe(5);
});

describe("usage beyond what a request can have caused", () => {
  const five = { inputTokens: 80, outputTokens: 5 };

  test("is not charged: what came is counted, and the operator is told who says so", async () => {
    const told = usage({ inputTokens: 9, outputTokens: 9_000 });
    const found = await measured({ inference, dialect }, five, {
      usage: told,
      outputText: () => "one two three",
      route,
    });
    expect(found).toMatchObject({ source: "estimated", usage: { inputTokens: 5, outputTokens: 3 }, refused: told });
    const about = { supplier: route.supplier.name, reported: told, possible: five };
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining(about),
      expect.stringContaining("more usage than its request can have caused"),
    );
    await measured({ inference, dialect }, five, { usage: told, outputText: () => "one", route });
    expect(log.warn).toHaveBeenCalledOnce();
  });

  test("gw's own count of what came is never above the ceiling either", async () => {
    const told = usage({ inputTokens: 9, outputTokens: 9_000 });
    const found = await measured({ inference, dialect }, five, {
      usage: told,
      outputText: () => "word ".repeat(900),
      route,
    });
    expect(found.usage).toMatchObject({ inputTokens: 5, outputTokens: 5 });
  });

  test.each([
    ["the whole ceiling", five, { inputTokens: 80, outputTokens: 5 }, true],
    ["a few tokens around the answer", five, { inputTokens: 10, outputTokens: 60 }, true],
    ["a preamble of the supplier's own", five, { inputTokens: 1_500, outputTokens: 5 }, true],
    [
      "reasoning within the ceiling",
      { inputTokens: 80, outputTokens: 4_000 },
      { inputTokens: 9, outputTokens: 4_000, reasoningTokens: 3_990 },
      true,
    ],
    ["another vocabulary", { inputTokens: 80, outputTokens: 4_000 }, { inputTokens: 9, outputTokens: 4_800 }, true],
    ["nine thousand of five", five, { inputTokens: 9, outputTokens: 9_000 }, false],
    [
      "twice a large ceiling",
      { inputTokens: 80, outputTokens: 16_000 },
      { inputTokens: 9, outputTokens: 32_000 },
      false,
    ],
    ["more input than bytes", { inputTokens: 500, outputTokens: 5 }, { inputTokens: 9_000, outputTokens: 5 }, false],
  ])("%s", (_what, bounds, told, believed) => {
    expect(isPlausible(usage(told), bounds)).toBe(believed);
  });
});

describe("uses of a supplier's tools that only the answer shows", () => {
  const priced = { ...route, price: { ...route.price, perToolUse: 10_000_000n } };
  const shown = (end: Partial<Measurable>, by: PricedRoute, most: object = {}) =>
    measured(
      { inference, dialect },
      { ...bounds, ...most },
      { usage: null, outputText: () => "word", ...end, route: by },
    );

  test("are charged where they have a price, also of a stream that broke before its totals", async () => {
    const reported = usage({ inputTokens: 9, outputTokens: 3 });
    expect(await shown({ usage: reported, toolUses: 2 }, priced)).toMatchObject({
      usage: { toolUses: 2 },
      refused: null,
    });
    expect(await shown({ toolUses: 2 }, priced)).toMatchObject({ source: "estimated", usage: { toolUses: 2 } });
  });

  test("give way to what is reported, and are never more than was held", async () => {
    const reported = usage({ inputTokens: 9, outputTokens: 3, toolUses: 1 });
    expect((await shown({ usage: reported, toolUses: 2 }, priced)).usage.toolUses).toBe(1);
    expect((await shown({ toolUses: 50 }, priced, { toolUses: 20 })).usage.toolUses).toBe(20);
  });

  test("are noted and not charged where they have none", async () => {
    const found = await shown({ usage: usage({ inputTokens: 9, outputTokens: 3 }), toolUses: 2 }, route);
    expect([found.usage.toolUses, found.refused]).toEqual([undefined, { toolUses: 2 }]);
  });
});
