import { formatUsd } from "~/money";

// Making a formatter costs more than using it a hundred times, and a page needs few different ones.
const formatters = new Map<string, Intl.NumberFormat>();

/**
 * An amount of nano-USD as a language writes it, such as `$4,182.07` or `4.182,07 $`: two places from a cent on, more where
 * the amount is smaller, never rounded to zero. `places`: that many, whatever the amount.
 */
export const moneyText = (nanoUsd: bigint, language: string, places = placesFor(nanoUsd)): string =>
  written(nanoUsd, language, [places, places]);

/** The exact amount without zeros that say nothing: from two to nine places. */
export const amountText = (nanoUsd: bigint, language: string): string => written(nanoUsd, language, [2, 9]);

function written(nanoUsd: bigint, language: string, [minPlaces, maxPlaces]: readonly [number, number]): string {
  // As text, because a number would not keep nine places of a large amount.
  const parts = formatterOf(language, minPlaces, maxPlaces).formatToParts(formatUsd(nanoUsd) as `${number}`);
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
