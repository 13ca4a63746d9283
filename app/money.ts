/** nano-USD in one US dollar. Money is whole nano-USD everywhere inside; decimals exist only at the doors. */
export const NANO_PER_USD = 1_000_000_000n;
/** Above this no amount is accepted: the largest that a BIGINT of nano-USD can hold, rounded down. */
export const MAX_NANO_USD = 9_200_000_000n * NANO_PER_USD;

/** An amount as a decimal of US dollars with all nine places, such as `0.003625600`. Exact. */
export function formatUsd(nanoUsd: bigint): string {
  const sign = nanoUsd < 0n ? "-" : "";
  const digits = (nanoUsd < 0n ? -nanoUsd : nanoUsd).toString().padStart(10, "0");
  return `${sign}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

/**
 * Reads a plain decimal of US dollars, at most nine places, as nano-USD; null for anything else (signs other than a
 * leading minus, exponents, more places, amounts beyond MAX_NANO_USD).
 */
export function parseUsd(text: string): bigint | null {
  const match = /^(-?)(\d{1,10})(?:\.(\d{1,9}))?$/.exec(text);
  if (match === null) return null;
  const nanoUsd = BigInt(match[2]!) * NANO_PER_USD + BigInt((match[3] ?? "").padEnd(9, "0"));
  if (nanoUsd > MAX_NANO_USD) return null;
  return match[1] === "-" ? -nanoUsd : nanoUsd;
}
