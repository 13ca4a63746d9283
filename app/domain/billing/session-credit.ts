/** What a paid checkout session of the processor says of its amounts, in cents. */
export type SessionAmounts = { subtotalCents: number; totalCents: number; taxCents: number; discountCents: number };

/**
 * What was paid for credit and fee, in cents: everything but the tax that came on top. Tax that the prices include is the
 * seller's to pay, and a discount was not paid. Pure.
 */
export function paidWithoutTax({ subtotalCents, totalCents, taxCents, discountCents }: SessionAmounts): number {
  const onTop = Math.max(0, totalCents - (subtotalCents - discountCents));
  return totalCents - Math.min(taxCents, onTop);
}

/** The part of a credit that was paid for, in nano-USD, cut to whole ones; never more than the credit. Pure. */
export function provenCredit(
  creditNanoUsd: bigint,
  { paidCents, askedCents }: { paidCents: number; askedCents: number },
) {
  return paidCents >= askedCents ? creditNanoUsd : (creditNanoUsd * BigInt(paidCents)) / BigInt(askedCents);
}
