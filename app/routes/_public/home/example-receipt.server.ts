import type { PriceList } from "~/domain/catalogue/shared";
import { priceUsage } from "~/domain/metering/index.server";

/** What the example uses, and the most that it could have. */
const FRESH = 572;
const CACHED = 640;
const OUTPUT = 388;
const MAX_OUTPUT = 4_096;

/** What an example of a request costs, part by part. Amounts are nano-USD. */
export type ExampleReceipt = {
  held: bigint;
  lines: readonly { part: "fresh" | "cached" | "output"; count: number; amount: bigint }[];
  charged: bigint;
};

/** The receipt of a request with some tokens from the cache, at the price of a model. */
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
