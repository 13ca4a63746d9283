/** nano-USD in one US dollar. Money is whole nano-USD everywhere inside; decimals exist only at the doors. */
const NANO_PER_USD = 1_000_000_000n;
/** Above this no amount is accepted: the largest that a BIGINT of nano-USD can hold, rounded down. */
export const MAX_NANO_USD = 9_200_000_000n * NANO_PER_USD;

/** An amount as a decimal of US dollars with all nine places, such as `0.003625600`. Exact. */
export function formatUsd(nanoUsd: bigint): string {
  const sign = nanoUsd < 0n ? "-" : "";
  const digits = (nanoUsd < 0n ? -nanoUsd : nanoUsd).toString().padStart(10, "0");
  return `${sign}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

/** An amount as a decimal of US dollars as people write it into a field: from two to nine places. Exact. */
export const plainUsd = (nanoUsd: bigint): string => formatUsd(nanoUsd).replace(/(\.\d\d)(\d*?)0+$/, "$1$2");

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

/**
 * Reads an amount as people write it: with a dollar sign, and with a comma for the point, as German, French and Spanish
 * do. A comma before exactly three digits could be a thousand in English, so `1,000` is refused rather than guessed;
 * behind a leading zero it can only be a decimal comma. Null for what is no amount, as `parseUsd`.
 */
export function parseWrittenUsd(text: string): bigint | null {
  const plain = text.trim().replace(/^\$\s*/, "");
  return parseUsd(/^[1-9]\d*,\d{3}$/.test(plain) ? plain : plain.replace(",", "."));
}

/**
 * A JSON number as the same number without an exponent, which is how many libraries write small ones (`1e-05` is
 * `0.00001`); a text without one, or with one beyond three digits, as it is. Exact: only the point moves.
 */
export function withoutExponent(text: string): string {
  const [, whole = "", fraction = "", exponent] = /^(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const places = fraction.length - Number(exponent);
  const digits = (whole + fraction + "0".repeat(Math.max(0, -places))).padStart(places + 1, "0");
  const point = digits.length - Math.max(0, places);
  const left = digits.slice(0, point).replace(/^0+(?=\d)/, "");
  const right = digits.slice(point).replace(/0+$/, "");
  return right === "" ? left : `${left}.${right}`;
}
