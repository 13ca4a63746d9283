import { formatUsd } from "~/values/money";

// Creating a formatter costs more than a hundred uses of it, and a page needs only a few.
const formatters = new Map<string, Intl.NumberFormat>();

/**
 * Formats nano-USD in a language, such as `$4,182.07` or `4.182,07 $`: exact, with two to nine decimals and without
 * trailing zeros. `places`: always nine decimals, for columns with aligned decimal points; nine are always exact.
 */
export const moneyText = (nanoUsd: bigint, language: string, places?: 9): string =>
  written(formatUsd(nanoUsd), language, [places ?? 2, 9]);

/**
 * Formats a decimal of US dollars with all its decimals, such as a price or a fraction of a nano-dollar. `places`:
 * minimum number of decimals.
 */
export const decimalUsdText = (decimal: string, language: string, places?: 9): string =>
  written(decimal, language, [places ?? 2, 15]);

/**
 * Formats an amount that is not in the ledger, such as a mean: two decimals from one cent, more below, never rounded to
 * zero.
 */
export function meanMoneyText(nanoUsd: bigint, language: string): string {
  const places = placesFor(nanoUsd);
  return written(formatUsd(nanoUsd), language, [places, places]);
}

function written(decimal: string, language: string, [minPlaces, maxPlaces]: readonly [number, number]): string {
  // As text, because a number cannot hold nine decimals of a large amount.
  const parts = formatterOf(language, minPlaces, maxPlaces).formatToParts(decimal as `${number}`);
  return parts.map(({ type, value }) => (type === "minusSign" ? "−" : value)).join("");
}

function formatterOf(language: string, minimumFractionDigits: number, maximumFractionDigits: number) {
  const name = `${language} ${minimumFractionDigits} ${maximumFractionDigits}`;
  const known = formatters.get(name);
  if (known !== undefined) return known;
  const places = { minimumFractionDigits, maximumFractionDigits };
  const formatter = new Intl.NumberFormat(language, { style: "currency", currency: "USD", ...places });
  formatters.set(name, formatter);
  return formatter;
}

const CENT = 10_000_000n;

function placesFor(nanoUsd: bigint): number {
  const amount = nanoUsd < 0n ? -nanoUsd : nanoUsd;
  if (amount === 0n || amount >= CENT) return 2;
  if (amount >= CENT / 100n) return 4;
  return amount >= 1_000n ? 6 : 9;
}
