import fc from "fast-check";
import { expect, test } from "vitest";
import type { PriceList } from "~/domain/catalogue/shared";
import { chatDialect } from "../dialects/chat";
import type { Dialect } from "../dialects/dialect";
import { messagesDialect } from "../dialects/messages";
import { nativeDialect } from "../dialects/native";
import type { RoutePlan } from "../route/route-plan";
import { boundsOf, ceilingFor, holdOf } from "./bounds";

const FIELDS = { chat: "max_tokens", messages: "max_tokens", native: "max_output_tokens" } as const;
const DIALECTS: readonly Dialect[] = [chatDialect, messagesDialect, nativeDialect];

const price = fc.record({
  inputPerMtok: fc.bigInt({ min: 0n, max: 20_000_000_000n }),
  outputPerMtok: fc.bigInt({ min: 1n, max: 80_000_000_000n }),
  perRequest: fc.constantFrom(0n, 0n, 1_000_000n),
});

const requests = fc.record({
  dialect: fc.constantFrom(...DIALECTS),
  ceiling: fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: null }),
  blanks: fc.boolean(),
  choices: fc.constantFrom(1, 1, 3),
  text: fc.string({ unit: "grapheme", maxLength: 200 }),
  prices: fc.array(price, { minLength: 1, maxLength: 3 }),
  /** Free money, in thousandths of the request's maximum cost. */
  share: fc.integer({ min: 0, max: 999 }),
});

function bodyOf(dialect: Dialect, more: object, { text, blanks }: { text: string; blanks: boolean }): string {
  const said =
    dialect.name === "native"
      ? { input: [{ role: "user", content: text }] }
      : { messages: [{ role: "user", content: text }] };
  const body = { model: "m", ...(dialect.name === "native" ? { stream: true } : {}), ...said, ...more };
  return blanks ? JSON.stringify(body, null, 1).replace(/\n\s*/g, " ") : JSON.stringify(body);
}

test("a request with the ceiling that fits costs no more than is free, and with one token more it does", () => {
  fc.assert(
    fc.property(requests, ({ dialect, ceiling, blanks, choices, text, prices, share }) => {
      const field = FIELDS[dialect.name as keyof typeof FIELDS];
      const n = dialect.name === "chat" ? { n: choices } : {};
      const given = dialect.name === "messages" ? (ceiling ?? 1_000) : ceiling;
      const plan = planOf(prices);
      const read = (tokens: number | null) =>
        dialect.read(
          bodyOf(
            dialect,
            { ...n, ...(tokens === null ? {} : { [field]: tokens }) },
            { text, blanks: blanks && given !== null },
          ),
        );
      const most = (tokens: number | null) => holdOf(plan, boundsOf(read(tokens), plan)).amountNanoUsd;
      const free = (most(given) * BigInt(share)) / 1_000n;
      fc.pre(free < most(given));
      const asked = read(given);
      const fits = ceilingFor(asked, plan, {
        ceiling: dialect.outputCeiling!(asked, plan.routes[0]!),
        amountNanoUsd: free,
      });
      if (fits === null) return void expect(most(1)).toBeGreaterThan(free);
      expect(most(fits)).toBeLessThanOrEqual(free);
      expect(most(fits + 1)).toBeGreaterThan(free);
      const lowered = dialect.read(dialect.outputCeiling!(asked, plan.routes[0]!).textWith(fits));
      expect(lowered.size.maxOutputTokens).toBe(fits);
      expect(holdOf(plan, boundsOf(lowered, plan)).amountNanoUsd).toBeLessThanOrEqual(free);
    }),
    { numRuns: 2_000 },
  );
});

test("a ceiling that is there under both names is lowered under both, and everything else stays as it was written", () => {
  const text =
    '{"model":"m", "max_tokens":900,"messages":[{"role":"user","content":"é"}],"max_completion_tokens": 800,"seed":12345678901234567890}';
  const ceiling = chatDialect.outputCeiling!(chatDialect.read(text), planOf([]).routes[0]!);
  expect(ceiling.textWith(7)).toBe(
    '{"model":"m","max_tokens":7,"messages":[{"role":"user","content":"é"}],"max_completion_tokens": 7,"seed":12345678901234567890}',
  );
  expect(ceiling.bodyBytesWith(7)).toBe(Buffer.byteLength(text) - 4);
});

function planOf(prices: readonly Partial<PriceList>[]): RoutePlan {
  const zero = { cachedInputPerMtok: 0n, cacheWritePerMtok: 0n, perMchar: 0n, perSecond: 0n, version: 1 };
  return {
    model: { contextTokens: 128_000, maxOutputTokens: 4_000 },
    routes: (prices.length === 0 ? [{}] : prices).map((each) => ({
      upstreamModel: "m",
      supplier: {},
      price: { ...zero, ...each },
    })),
  } as unknown as RoutePlan;
}
