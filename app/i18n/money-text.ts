import { formatUsd } from "~/money";

// Making a formatter costs more than using it a hundred times, and a page needs few different ones.
const formatters = new Map<string, Intl.NumberFormat>();

/**
 * An amount of nano-USD as a language writes it, such as `$4,182.07` or `4.182,07 $`: exact, from two to nine places, without
 * zeros that say nothing. `places`: exactly that many, for columns whose points stand below each other; nine are always exact.
 */
export const moneyText = (nanoUsd: bigint, language: string, places?: 9): string =>
  written(formatUsd(nanoUsd), language, [places ?? 2, 9]);

/** A decimal of US dollars with every place that it has, such as a price or a part of a nano-dollar; `places` as of `moneyText`, at least. */
export const decimalUsdText = (decimal: string, language: string, places?: 9): string =>
  written(decimal, language, [places ?? 2, 15]);

/** An amount that is no fact of the ledger, such as a mean: two places from a cent on, more where it is smaller, never rounded to zero. */
export function meanMoneyText(nanoUsd: bigint, language: string): string {
  const places = placesFor(nanoUsd);
  return written(formatUsd(nanoUsd), language, [places, places]);
}

function written(decimal: string, language: string, [minPlaces, maxPlaces]: readonly [number, number]): string {
  // As text, because a number would not keep nine places of a large amount.
  const parts = formatterOf(language, minPlaces, maxPlaces).formatToParts(decimal as `${number}`);
  return parts.map(({ type, value }) => (type === "minusSign" ? "−" : value)).join("");
}

function formatterOf(language: string, minimumFractionDigits: number, maximumFractionDigits: number) {
  const name = `${language} ${minimumFractionDigits} ${maximumFractionDigits}`;
  const known = formatters.get(name);
  if (known !== undefined) return known;
  const places = { minimumFractionDigits, maximumFractionDigits };
  const made = new Intl.NumberFormat(language, { style: "currency", currency: "USD", ...places });
  formatters.set(name, made);
  return made;
}

const CENT = 10_000_000n;

function placesFor(nanoUsd: bigint): number {
  const amount = nanoUsd < 0n ? -nanoUsd : nanoUsd;
  if (amount === 0n || amount >= CENT) return 2;
  if (amount >= CENT / 100n) return 4;
  return amount >= 1_000n ? 6 : 9;
}
