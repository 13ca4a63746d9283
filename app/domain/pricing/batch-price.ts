import type { LongContextPrice, PriceList } from "~/domain/catalogue/shared";

const MILLION = 1_000_000n;

/**
 * Returns the price list for a supplier's batches: the list's own batch prices if it has them, else `millionths` of every price, each
 * rounded up once to a whole nano-USD. Tools billed per use keep their price. Other service tiers do not apply.
 */
export function atBatchPrice(list: PriceList, millionths: number): PriceList {
  if (list.tiers?.batch !== undefined) return { ...list, ...list.tiers.batch, tiers: undefined };
  const share = BigInt(millionths);
  const part = (nanoUsd: bigint): bigint => (nanoUsd * share + MILLION - 1n) / MILLION;
  const partOr = <Missing extends null | undefined>(nanoUsd: bigint | Missing): bigint | Missing =>
    nanoUsd == null ? nanoUsd : part(nanoUsd as bigint);
  const longer = (price: LongContextPrice): LongContextPrice => ({
    ...price,
    inputPerMtok: part(price.inputPerMtok),
    outputPerMtok: part(price.outputPerMtok),
    cachedInputPerMtok: part(price.cachedInputPerMtok),
    cacheWritePerMtok: part(price.cacheWritePerMtok),
    cacheWriteLongPerMtok: partOr(price.cacheWriteLongPerMtok),
  });
  return {
    ...list,
    tiers: undefined,
    inputPerMtok: part(list.inputPerMtok),
    outputPerMtok: part(list.outputPerMtok),
    cachedInputPerMtok: part(list.cachedInputPerMtok),
    cacheWritePerMtok: part(list.cacheWritePerMtok),
    perRequest: part(list.perRequest),
    perSecond: part(list.perSecond),
    perMchar: part(list.perMchar),
    cacheWriteLongPerMtok: partOr(list.cacheWriteLongPerMtok),
    audioInputPerMtok: partOr(list.audioInputPerMtok),
    audioOutputPerMtok: partOr(list.audioOutputPerMtok),
    ...(list.longContext === undefined ? {} : { longContext: list.longContext.map(longer) }),
  };
}
