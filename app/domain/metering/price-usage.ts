import type { PriceList } from "~/domain/catalogue/shared";

/** What was used, in tokens. */
export type TokenCounts = {
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
};

/** What else a call can be billed by; absent: nothing of it. */
export type Extent = {
  milliseconds?: number;
  characters?: number;
  /** What the supplier counts as requests; absent: one. */
  requests?: number;
};

/** The most that a call can use. */
export type UsageBounds = { inputTokens: number; outputTokens: number } & Extent;

const TOKENS_PER_MTOK = 1_000_000n;
const MILLISECONDS = 1_000n;

/**
 * What a usage costs at a price, in nano-USD: exact, and rounded once, up, to a whole nano-USD. Input tokens include
 * those read from a cache and those written to one; each is charged once, at its own price. Counts that exceed their
 * total (more cached tokens than input) are cut to it.
 * @throws RangeError for counts that are not whole numbers from zero up.
 */
export function priceUsage(price: PriceList, usage: TokenCounts & Extent): bigint {
  const input = count(usage.inputTokens);
  const cached = smaller(count(usage.cachedInputTokens), input);
  const written = smaller(count(usage.cacheWriteTokens), input - cached);
  const output = count(usage.outputTokens);
  const perMtok =
    (input - cached - written) * price.inputPerMtok +
    cached * price.cachedInputPerMtok +
    written * price.cacheWritePerMtok +
    output * price.outputPerMtok;
  return roundedUp(price, perMtok, usage);
}

/**
 * The most that a call within some bounds can cost at a price, in nano-USD: every input token at the dearest of its
 * three prices. No usage within the bounds costs more.
 * @throws RangeError for bounds that are not whole numbers from zero up.
 */
export function priceMaximum(price: PriceList, bounds: UsageBounds): bigint {
  const dearest = larger(price.inputPerMtok, larger(price.cachedInputPerMtok, price.cacheWritePerMtok));
  const perMtok = count(bounds.inputTokens) * dearest + count(bounds.outputTokens) * price.outputPerMtok;
  return roundedUp(price, perMtok, bounds);
}

/** Prices per million tokens and characters and per second share one denominator, so that there is one rounding. */
function roundedUp(price: PriceList, perMtok: bigint, extent: Extent): bigint {
  const { milliseconds = 0, characters = 0, requests = 1 } = extent;
  const millionths =
    perMtok +
    count(characters) * price.perMchar +
    count(milliseconds) * price.perSecond * (TOKENS_PER_MTOK / MILLISECONDS) +
    count(requests) * price.perRequest * TOKENS_PER_MTOK;
  return (millionths + TOKENS_PER_MTOK - 1n) / TOKENS_PER_MTOK;
}

function count(value: number): bigint {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a count: ${value}`);
  return BigInt(value);
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
