import { type PriceList, SERVICE_TIERS, type ServiceTier } from "~/domain/catalogue/shared";

/** Tokens used by a call. */
export type TokenCounts = {
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  /** Parts of the cache writes, of the input and of the output; absent: none. */
  cacheWriteLongTokens?: number;
  audioInputTokens?: number;
  audioOutputTokens?: number;
};

/** Other billed quantities of a call; absent: none. */
export type Extent = {
  milliseconds?: number;
  characters?: number;
  /** Requests as counted by the supplier; absent: one. */
  requests?: number;
  /** Searches and other tools that the supplier ran; absent: none. */
  toolUses?: number;
};

/** The service tier of an answer; absent: the default tier. */
export type Tier = { serviceTier?: ServiceTier };

/** The service tier of a request; `default`: only the default tier. */
export type AskedTier = "default" | ServiceTier;

/** Maximum usage of a call. */
export type UsageBounds = {
  inputTokens: number;
  outputTokens: number;
  /** Whether input may be written to a one-hour cache. */
  longCacheWrites?: boolean;
  /** Absent: the supplier chooses the tier. */
  askedTier?: AskedTier;
} & Extent;

const TOKENS_PER_MTOK = 1_000_000n;
const MILLISECONDS = 1_000n;

/**
 * Returns the cost of a usage at a price, in nano-USD: computed exactly and rounded up once to a whole nano-USD. Input tokens include
 * cache reads, cache writes and audio tokens; each token is charged once, at its own price. Parts that exceed their total (more cached
 * tokens than input) are capped at it.
 * @throws RangeError for counts that are not whole numbers of at least 0.
 */
export function priceUsage(list: PriceList, usage: TokenCounts & Extent & Tier): bigint {
  const price = priceFor(list, usage);
  const input = count(usage.inputTokens);
  const cached = smaller(count(usage.cachedInputTokens), input);
  const written = smaller(count(usage.cacheWriteTokens), input - cached);
  const output = count(usage.outputTokens);
  const perMtok =
    (input - cached - written) * price.inputPerMtok +
    cached * price.cachedInputPerMtok +
    written * price.cacheWritePerMtok +
    output * price.outputPerMtok;
  const others = differences(price, usage, { rest: input - cached - written, written, output });
  return wholeNanoUsd(millionths(price, perMtok + others, usage));
}

/** Returns the prices of a call: its tier's and then its context length's prices replace those of the list, for all its tokens. */
export function priceFor(
  list: PriceList,
  { inputTokens, serviceTier }: Pick<TokenCounts, "inputTokens"> & Tier,
): PriceList {
  const price = serviceTier === undefined ? list : priceAtTier(list, serviceTier);
  const longest = price.longContext?.findLast(({ aboveInputTokens }) => inputTokens > aboveInputTokens);
  return longest === undefined ? price : { ...price, ...longest };
}

/** A tier without own prices has the default prices. */
const priceAtTier = (list: PriceList, tier: ServiceTier): PriceList =>
  list.tiers?.[tier] === undefined ? list : { ...list, ...list.tiers[tier] };

/** Price lists of the tiers that can answer a request. The supplier may always fall back to the default tier, except for batches. */
function pricesOfTiers(list: PriceList, requestedTier: AskedTier | undefined): PriceList[] {
  if (list.tiers === undefined || requestedTier === "default") return [list];
  // Every line of a batch has the tier `batch`.
  if (requestedTier === "batch") return [priceAtTier(list, requestedTier)];
  const chosen = SERVICE_TIERS.filter((tier) => tier !== "batch" && list.tiers?.[tier]?.askedOnly !== true);
  return [list, ...(requestedTier === undefined ? chosen : [requestedTier]).map((tier) => priceAtTier(list, tier))];
}

/** All price lists that can apply to a call within bounds. */
const pricesWithin = (list: PriceList, { inputTokens, askedTier }: UsageBounds): PriceList[] =>
  pricesOfTiers(list, askedTier).flatMap((price) => [
    price,
    ...(price.longContext ?? [])
      .filter(({ aboveInputTokens }) => inputTokens > aboveInputTokens)
      .map((longer) => ({ ...price, ...longer })),
  ]);

/**
 * Returns the maximum cost of a call within bounds, in nano-USD: every input token at the highest of its prices. No usage within the
 * bounds costs more.
 * @throws RangeError for bounds that are not whole numbers of at least 0.
 */
export function priceMaximum(price: PriceList, bounds: UsageBounds): bigint {
  return wholeNanoUsd(maximumMillionths(price, bounds));
}

function maximumMillionths(list: PriceList, bounds: UsageBounds): bigint {
  if (list.longContext === undefined && list.tiers === undefined) return maximumAt(list, bounds);
  return pricesWithin(list, bounds)
    .map((price) => maximumAt(price, bounds))
    .reduce(larger);
}

function maximumAt(price: PriceList, bounds: UsageBounds): bigint {
  const { audioInputPerMtok } = price;
  let dearest = larger(price.inputPerMtok, larger(price.cachedInputPerMtok, price.cacheWritePerMtok));
  if (audioInputPerMtok) dearest = larger(dearest, audioInputPerMtok);
  if (bounds.longCacheWrites) dearest = larger(dearest, cacheWriteLong(price));
  const perMtok = count(bounds.inputTokens) * dearest + count(bounds.outputTokens) * outputPerMtok(price);
  return millionths(price, perMtok, bounds);
}

const outputPerMtok = ({ outputPerMtok: text, audioOutputPerMtok: sound }: PriceList): bigint =>
  sound ? larger(text, sound) : text;

/**
 * Returns the maximum output tokens, up to `bounds.outputTokens`, for which `priceMaximum` stays within an amount of nano-USD. Null:
 * the call exceeds the amount without any output.
 * @throws RangeError for bounds that are not whole numbers of at least 0.
 */
export function maxOutputTokensFor(list: PriceList, bounds: UsageBounds, amountNanoUsd: bigint): number | null {
  const each = pricesWithin(list, bounds).map((price) => maxOutputTokensAt(price, bounds, amountNanoUsd));
  return each.reduce((minimum, next) => (minimum === null || next === null ? null : Math.min(minimum, next)));
}

function maxOutputTokensAt(price: PriceList, bounds: UsageBounds, amountNanoUsd: bigint): number | null {
  const leftMillionths = amountNanoUsd * TOKENS_PER_MTOK - maximumAt(price, { ...bounds, outputTokens: 0 });
  if (leftMillionths < 0n) return null;
  const perToken = outputPerMtok(price);
  const outputTokens = count(bounds.outputTokens);
  return Number(perToken === 0n ? outputTokens : smaller(outputTokens, leftMillionths / perToken));
}

/** Price differences of long cache writes and audio tokens, which few calls have, from the prices of their totals. */
function differences(
  price: PriceList,
  { cacheWriteLongTokens, audioInputTokens, audioOutputTokens }: TokenCounts,
  totals: { rest: bigint; written: bigint; output: bigint },
): bigint {
  let perMtok = 0n;
  if (cacheWriteLongTokens)
    perMtok += smaller(count(cacheWriteLongTokens), totals.written) * (cacheWriteLong(price) - price.cacheWritePerMtok);
  if (audioInputTokens && price.audioInputPerMtok != null)
    perMtok += smaller(count(audioInputTokens), totals.rest) * (price.audioInputPerMtok - price.inputPerMtok);
  if (audioOutputTokens && price.audioOutputPerMtok != null)
    perMtok += smaller(count(audioOutputTokens), totals.output) * (price.audioOutputPerMtok - price.outputPerMtok);
  return perMtok;
}

/** Price of a one-hour cache write; without a price in the list, twice the input price, as suppliers charge. */
export const cacheWriteLong = ({ cacheWriteLongPerMtok, cacheWritePerMtok, inputPerMtok }: PriceList): bigint =>
  cacheWriteLongPerMtok ?? larger(cacheWritePerMtok, 2n * inputPerMtok);

const wholeNanoUsd = (millionthsOfNanoUsd: bigint): bigint =>
  (millionthsOfNanoUsd + TOKENS_PER_MTOK - 1n) / TOKENS_PER_MTOK;

/** Adds all parts in millionths of a nano-USD, the common denominator of all prices, so that there is one rounding. */
function millionths(price: PriceList, perMtok: bigint, extent: Extent): bigint {
  const { milliseconds = 0, characters = 0, requests = 1, toolUses } = extent;
  return (
    perMtok +
    count(characters) * price.perMchar +
    count(milliseconds) * price.perSecond * (TOKENS_PER_MTOK / MILLISECONDS) +
    count(requests) * price.perRequest * TOKENS_PER_MTOK +
    (toolUses ? count(toolUses) * (price.perToolUse ?? 0n) * TOKENS_PER_MTOK : 0n)
  );
}

function count(value: number): bigint {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a count: ${value}`);
  return BigInt(value);
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
