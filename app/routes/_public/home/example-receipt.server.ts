import type { PriceList } from "~/domain/catalogue/shared";
import { priceUsage } from "~/domain/pricing/index.server";

/** Tokens of the example, and its maximum output. */
const FRESH = 572;
const CACHED = 640;
const OUTPUT = 388;
const MAX_OUTPUT = 4_096;

/** The cost of an example request by part. Amounts are nano-USD. */
export type ExampleReceipt = {
  held: bigint;
  lines: readonly { part: "fresh" | "cached" | "output"; count: number; amount: bigint }[];
  charged: bigint;
};

/** Returns the receipt of a request with some cached tokens, at the price of a model. */
export function exampleReceipt(price: PriceList): ExampleReceipt {
  const none = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
  const cost = (usage: Partial<typeof none>) => priceUsage(price, { ...none, ...usage });
  const input = { inputTokens: FRESH + CACHED, cachedInputTokens: CACHED };
  return {
    held: cost({ inputTokens: FRESH + CACHED, outputTokens: MAX_OUTPUT }),
    lines: [
      { part: "fresh", count: FRESH, amount: cost({ inputTokens: FRESH }) },
      { part: "cached", count: CACHED, amount: cost({ inputTokens: CACHED, cachedInputTokens: CACHED }) },
      { part: "output", count: OUTPUT, amount: cost({ outputTokens: OUTPUT }) },
    ],
    charged: cost({ ...input, outputTokens: OUTPUT }),
  };
}
