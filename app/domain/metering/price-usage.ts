import { type PriceList, SERVICE_TIERS, type ServiceTier } from "~/domain/catalogue/shared";

/** What was used, in tokens. */
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

/** What else a call can be billed by; absent: nothing of it. */
export type Extent = {
  milliseconds?: number;
  characters?: number;
  /** What the supplier counts as requests; absent: one. */
  requests?: number;
  /** Searches and other tools that the supplier ran; absent: none. */
  toolUses?: number;
};

/** The tier at which a call was answered; absent: the ordinary one. */
export type Tier = { serviceTier?: ServiceTier };

/** The tier that a request asks for; `default`: the ordinary one and no other. */
export type AskedTier = "default" | ServiceTier;

/** The most that a call can use. */
export type UsageBounds = {
  inputTokens: number;
  outputTokens: number;
  /** Input may be written to a cache for an hour. */
  longCacheWrites?: boolean;
  /** Absent: the supplier chooses the tier. */
  askedTier?: AskedTier;
} & Extent;

const TOKENS_PER_MTOK = 1_000_000n;
const MILLISECONDS = 1_000n;

/**
 * What a usage costs at a price, in nano-USD: exact, and rounded once, up, to a whole nano-USD. Input tokens include
 * those read from a cache, those written to one and those of sound; each is charged once, at its own price. Counts that
 * exceed their total (more cached tokens than input) are cut to it.
 * @throws RangeError for counts that are not whole numbers from zero up.
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

/** The prices of a call: those of its tier, and of these those of its length, take the place of the list's, for all of its tokens. */
export function priceFor(
  list: PriceList,
  { inputTokens, serviceTier }: Pick<TokenCounts, "inputTokens"> & Tier,
): PriceList {
  const price = serviceTier === undefined ? list : priceAtTier(list, serviceTier);
  const longest = price.longContext?.findLast(({ aboveInputTokens }) => inputTokens > aboveInputTokens);
  return longest === undefined ? price : { ...price, ...longest };
}

/** A tier without prices of its own costs what the ordinary one does. */
const priceAtTier = (list: PriceList, tier: ServiceTier): PriceList =>
  list.tiers?.[tier] === undefined ? list : { ...list, ...list.tiers[tier] };

/** The prices of the tiers at which a request can be answered. Also where it asks for another one, it may be the ordinary one. */
function pricesOfTiers(list: PriceList, asked: AskedTier | undefined): PriceList[] {
  if (list.tiers === undefined || asked === "default") return [list];
  // Each line of a batch is one of it.
  if (asked === "batch") return [priceAtTier(list, asked)];
  const chosen = SERVICE_TIERS.filter((tier) => tier !== "batch" && list.tiers?.[tier]?.askedOnly !== true);
  return [list, ...(asked === undefined ? chosen : [asked]).map((tier) => priceAtTier(list, tier))];
}

/** The prices that calls within some bounds can have. */
const pricesWithin = (list: PriceList, { inputTokens, askedTier }: UsageBounds): PriceList[] =>
  pricesOfTiers(list, askedTier).flatMap((price) => [
    price,
    ...(price.longContext ?? [])
      .filter(({ aboveInputTokens }) => inputTokens > aboveInputTokens)
      .map((longer) => ({ ...price, ...longer })),
  ]);

/**
 * The most that a call within some bounds can cost at a price, in nano-USD: every input token at the dearest of its
 * three prices. No usage within the bounds costs more.
 * @throws RangeError for bounds that are not whole numbers from zero up.
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
 * The most output tokens with which a call can cost no more than an amount of nano-USD, all else within its bounds: one more
 * and `priceMaximum` is above it. Null where the rest alone is; at most `bounds.outputTokens`.
 * @throws RangeError for bounds that are not whole numbers from zero up.
 */
export function maxOutputTokensFor(list: PriceList, bounds: UsageBounds, amountNanoUsd: bigint): number | null {
  const each = pricesWithin(list, bounds).map((price) => maxOutputTokensAt(price, bounds, amountNanoUsd));
  return each.reduce((least, next) => (least === null || next === null ? null : Math.min(least, next)));
}

function maxOutputTokensAt(price: PriceList, bounds: UsageBounds, amountNanoUsd: bigint): number | null {
  const leftMillionths = amountNanoUsd * TOKENS_PER_MTOK - maximumAt(price, { ...bounds, outputTokens: 0 });
  if (leftMillionths < 0n) return null;
  const perToken = outputPerMtok(price);
  const asked = count(bounds.outputTokens);
  return Number(perToken === 0n ? asked : smaller(asked, leftMillionths / perToken));
}

/** By how much the parts that few calls have differ from the price of their whole. */
function differences(
  price: PriceList,
  { cacheWriteLongTokens, audioInputTokens, audioOutputTokens }: TokenCounts,
  whole: { rest: bigint; written: bigint; output: bigint },
): bigint {
  let perMtok = 0n;
  if (cacheWriteLongTokens)
    perMtok += smaller(count(cacheWriteLongTokens), whole.written) * (cacheWriteLong(price) - price.cacheWritePerMtok);
  if (audioInputTokens && price.audioInputPerMtok != null)
    perMtok += smaller(count(audioInputTokens), whole.rest) * (price.audioInputPerMtok - price.inputPerMtok);
  if (audioOutputTokens && price.audioOutputPerMtok != null)
    perMtok += smaller(count(audioOutputTokens), whole.output) * (price.audioOutputPerMtok - price.outputPerMtok);
  return perMtok;
}

/** Suppliers that bill an hour in the cache apart ask twice the input price for it. */
export const cacheWriteLong = ({ cacheWriteLongPerMtok, cacheWritePerMtok, inputPerMtok }: PriceList): bigint =>
  cacheWriteLongPerMtok ?? larger(cacheWritePerMtok, 2n * inputPerMtok);

const wholeNanoUsd = (millionthsOfNanoUsd: bigint): bigint =>
  (millionthsOfNanoUsd + TOKENS_PER_MTOK - 1n) / TOKENS_PER_MTOK;

/** Prices per million tokens and characters and per second share one denominator, so that there is one rounding. */
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
