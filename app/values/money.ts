/** nano-USD in one US dollar. Internally money is whole nano-USD; decimals occur only in input and output. */
const NANO_PER_USD = 1_000_000_000n;
/** Maximum amount: the largest that a BIGINT of nano-USD can store, rounded down. */
export const MAX_NANO_USD = 9_200_000_000n * NANO_PER_USD;

/** Returns an amount as an exact decimal of US dollars with all nine places, such as `0.003625600`. */
export function formatUsd(nanoUsd: bigint): string {
  const sign = nanoUsd < 0n ? "-" : "";
  const digits = (nanoUsd < 0n ? -nanoUsd : nanoUsd).toString().padStart(10, "0");
  return `${sign}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

/** Returns an amount as an exact decimal of US dollars for a form field, with two to nine places. */
export const plainUsd = (nanoUsd: bigint): string => formatUsd(nanoUsd).replace(/(\.\d\d)(\d*?)0+$/, "$1$2");

/**
 * Parses a plain decimal of US dollars with at most nine places to nano-USD. Returns null for anything else: signs
 * other than a leading minus, exponents, more places, amounts above MAX_NANO_USD.
 */
export function parseUsd(text: string): bigint | null {
  const match = /^(-?)(\d{1,10})(?:\.(\d{1,9}))?$/.exec(text);
  if (match === null) return null;
  const nanoUsd = BigInt(match[2]!) * NANO_PER_USD + BigInt((match[3] ?? "").padEnd(9, "0"));
  if (nanoUsd > MAX_NANO_USD) return null;
  return match[1] === "-" ? -nanoUsd : nanoUsd;
}

/**
 * Parses an amount as people write it: with a dollar sign, and with a decimal comma as in German, French and Spanish.
 * `1,000` is rejected, because in English the comma may separate thousands; after a leading zero it can only be a
 * decimal comma. Returns null for anything else, as `parseUsd`.
 */
export function parseWrittenUsd(text: string): bigint | null {
  const plain = text.trim().replace(/^\$\s*/, "");
  return parseUsd(/^[1-9]\d*,\d{3}$/.test(plain) ? plain : plain.replace(",", "."));
}

/**
 * Writes a JSON number without an exponent, which many libraries use for small numbers (`1e-05` becomes `0.00001`).
 * Exact: only the decimal point moves. Returns a text without an exponent, or with one of more than three digits,
 * unchanged.
 */
export function withoutExponent(text: string): string {
  const [, whole = "", fraction = "", exponent] = /^(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const places = fraction.length - Number(exponent);
  const digits = (whole + fraction + "0".repeat(Math.max(0, -places))).padStart(places + 1, "0");
  const point = digits.length - Math.max(0, places);
  const dollars = digits.slice(0, point).replace(/^0+(?=\d)/, "");
  const right = digits.slice(point).replace(/0+$/, "");
  return right === "" ? dollars : `${dollars}.${right}`;
}
