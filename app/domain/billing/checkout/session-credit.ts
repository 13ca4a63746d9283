/** Amounts of a paid checkout session at the processor, in cents. */
export type SessionAmounts = { subtotalCents: number; totalCents: number; taxCents: number; discountCents: number };

/**
 * Returns the amount paid for credit and fee, in cents: everything except tax that was added on top. Tax that is
 * included in the prices is paid by the seller, and a discount was not paid. Pure.
 */
export function paidWithoutTax({ subtotalCents, totalCents, taxCents, discountCents }: SessionAmounts): number {
  const onTop = Math.max(0, totalCents - (subtotalCents - discountCents));
  return totalCents - Math.min(taxCents, onTop);
}

/**
 * Returns the part of a credit that was paid for, in whole nano-USD, rounded down; never more than the credit. Pure.
 */
export function provenCredit(
  creditNanoUsd: bigint,
  { paidCents, askedCents }: { paidCents: number; askedCents: number },
) {
  return paidCents >= askedCents ? creditNanoUsd : (creditNanoUsd * BigInt(paidCents)) / BigInt(askedCents);
}
