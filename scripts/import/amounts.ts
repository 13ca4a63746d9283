/** Maximum decimals of US dollar amounts. */
const PLACES = 9;

/**
 * Converts a price per token to a price per million tokens, exactly; fractions of a nano-dollar are rounded up.
 * `written`: a decimal such as `0.0000025` or `2.5e-06`. Returns null for null and for an invalid price.
 */
export const perMillion = (written: string | null): string | null => shifted(written, 6);

/** A price as a plain decimal. */
export const decimal = (written: string | null): string | null => shifted(written, 0);

function shifted(written: string | null, by: number): string | null {
  const parts = /^(\d{1,20})(?:\.(\d{1,40}))?(?:e([+-]?\d{1,2}))?$/i.exec(written ?? "");
  if (parts === null) return null;
  const [, whole = "", fraction = "", exponent = "0"] = parts;
  const digits = BigInt(whole + fraction);
  const places = fraction.length - Number(exponent) - by;
  const nano = places <= PLACES ? digits * 10n ** BigInt(PLACES - places) : roundedUp(digits, places - PLACES);
  const text = nano.toString().padStart(PLACES + 1, "0");
  return `${text.slice(0, -PLACES)}.${text.slice(-PLACES)}`.replace(/\.?0+$/, "");
}

function roundedUp(digits: bigint, places: number): bigint {
  const unit = 10n ** BigInt(places);
  return (digits + unit - 1n) / unit;
}
