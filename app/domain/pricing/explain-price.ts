import type { PriceList } from "~/domain/catalogue/shared";
import { cacheWriteLong, type Extent, priceFor, type Tier, type TokenCounts } from "./price-usage";

type PricePart =
  | "input"
  | "cached"
  | "cacheWrite"
  | "cacheWriteLong"
  | "audioInput"
  | "output"
  | "audioOutput"
  | "characters"
  | "seconds"
  | "requests"
  | "toolUses";

/**
 * One line of a call's cost: a quantity at a price of `unitNanoUsd` per `per` units. `millionths` is the product in millionths of a
 * nano-USD, which is a whole number.
 */
export type PriceLine = { part: PricePart; quantity: bigint; unitNanoUsd: bigint; per: bigint; millionths: bigint };

const MILLION = 1_000_000n;

/**
 * Returns the lines of a usage's cost. Their sum, rounded up once to a whole nano-USD, equals `priceUsage`. Lines without a quantity are
 * left out.
 */
export function explainPrice(list: PriceList, usage: TokenCounts & Extent & Tier): PriceLine[] {
  const price = priceFor(list, usage);
  const input = BigInt(usage.inputTokens);
  const cached = smaller(BigInt(usage.cachedInputTokens), input);
  const written = smaller(BigInt(usage.cacheWriteTokens), input - cached);
  const long = smaller(BigInt(usage.cacheWriteLongTokens ?? 0), written);
  const rest = input - cached - written;
  const heard = price.audioInputPerMtok == null ? 0n : smaller(BigInt(usage.audioInputTokens ?? 0), rest);
  const output = BigInt(usage.outputTokens);
  const spoken = price.audioOutputPerMtok == null ? 0n : smaller(BigInt(usage.audioOutputTokens ?? 0), output);
  const tokens = (part: PricePart, quantity: bigint, unitNanoUsd: bigint) =>
    lineOf({ part, quantity, unitNanoUsd, per: MILLION });
  return [
    tokens("input", rest - heard, price.inputPerMtok),
    tokens("audioInput", heard, price.audioInputPerMtok ?? 0n),
    tokens("cached", cached, price.cachedInputPerMtok),
    tokens("cacheWrite", written - long, price.cacheWritePerMtok),
    tokens("cacheWriteLong", long, cacheWriteLong(price)),
    tokens("output", output - spoken, price.outputPerMtok),
    tokens("audioOutput", spoken, price.audioOutputPerMtok ?? 0n),
    tokens("characters", BigInt(usage.characters ?? 0), price.perMchar),
    // Milliseconds at a price per second.
    lineOf({ part: "seconds", quantity: BigInt(usage.milliseconds ?? 0), unitNanoUsd: price.perSecond, per: 1_000n }),
    lineOf({ part: "requests", quantity: BigInt(usage.requests ?? 1), unitNanoUsd: price.perRequest, per: 1n }),
    lineOf({ part: "toolUses", quantity: BigInt(usage.toolUses ?? 0), unitNanoUsd: price.perToolUse ?? 0n, per: 1n }),
  ].filter(({ part, quantity, unitNanoUsd }) => quantity > 0n && (part !== "requests" || unitNanoUsd > 0n));
}

/** Sum of lines in nano-USD, rounded up once. */
export const sumOfLines = (lines: readonly PriceLine[]): bigint =>
  (lines.reduce((sum, { millionths }) => sum + millionths, 0n) + MILLION - 1n) / MILLION;

const lineOf = (line: Omit<PriceLine, "millionths">): PriceLine => ({
  ...line,
  millionths: (line.quantity * line.unitNanoUsd * MILLION) / line.per,
});

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
