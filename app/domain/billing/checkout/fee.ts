/** nano-USD in one cent, the processor's smallest unit. */
const NANO_PER_CENT = 10_000_000n;
const MILLION = 1_000_000n;

export type Fee = { feeMillionths: bigint; feeFixedNanoUsd: bigint };

/** Returns the price of a credit: credit and fee are whole cents, and the fee is rounded up. Amounts are nano-USD. */
export function priceOfCredit(creditNanoUsd: bigint, { feeMillionths, feeFixedNanoUsd }: Fee) {
  const exact = creditNanoUsd * feeMillionths + feeFixedNanoUsd * MILLION;
  const unit = NANO_PER_CENT * MILLION;
  const feeNanoUsd = ((exact + unit - 1n) / unit) * NANO_PER_CENT;
  return { feeNanoUsd, totalNanoUsd: creditNanoUsd + feeNanoUsd };
}

/** Returns an amount in cents; null when it has a fraction of a cent. */
export function centsOf(nanoUsd: bigint): number | null {
  return nanoUsd % NANO_PER_CENT === 0n ? Number(nanoUsd / NANO_PER_CENT) : null;
}

/** Converts a processor's amount to nano-USD. */
export const nanoUsdOfCents = (cents: bigint): bigint => cents * NANO_PER_CENT;
