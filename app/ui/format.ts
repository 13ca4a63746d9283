import { formatUsd } from "~/money";

// Making a formatter costs more than using it a hundred times, and a page needs few different ones.
const formatters = new Map<string, unknown>();

function kept<Formatter>({
  kind,
  language,
  options,
  make,
}: {
  kind: string;
  language: string;
  options: object;
  make: () => Formatter;
}): Formatter {
  const name = `${kind} ${language} ${JSON.stringify(options)}`;
  const known = formatters.get(name) as Formatter | undefined;
  if (known !== undefined) return known;
  const made = make();
  formatters.set(name, made);
  return made;
}

const numberFormat = (language: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  kept({ kind: "number", language, options, make: () => new Intl.NumberFormat(language, options) });

/** The formatter of moments for a language; made once. */
export const dateFormat = (language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  kept({ kind: "date", language, options, make: () => new Intl.DateTimeFormat(language, options) });

const relativeFormat = (language: string, options: Intl.RelativeTimeFormatOptions): Intl.RelativeTimeFormat =>
  kept({ kind: "relative", language, options, make: () => new Intl.RelativeTimeFormat(language, options) });

/** What amounts of nano-USD look like: two places from a cent on, more where the amount is smaller, never rounded to zero. */
export function moneyText(nanoUsd: bigint, language = "en", places?: number): string {
  const [whole = "0", decimals = ""] = formatUsd(nanoUsd < 0n ? -nanoUsd : nanoUsd).split(".");
  const shown = places ?? placesFor(nanoUsd < 0n ? -nanoUsd : nanoUsd);
  const rounded = roundedAt(BigInt(whole + decimals), shown);
  const digits = rounded.toString().padStart(shown + 1, "0");
  const point =
    numberFormat(language)
      .formatToParts(1.5)
      .find(({ type }) => type === "decimal")?.value ?? ".";
  const dollars = numberFormat(language).format(BigInt(digits.slice(0, digits.length - shown)));
  const text = shown === 0 ? dollars : `${dollars}${point}${digits.slice(-shown)}`;
  return `${nanoUsd < 0n ? "−" : ""}$${text}`;
}

const CENT = 10_000_000n;

function placesFor(nanoUsd: bigint): number {
  if (nanoUsd === 0n || nanoUsd >= CENT) return 2;
  if (nanoUsd >= CENT / 100n) return 4;
  return nanoUsd >= 1_000n ? 6 : 9;
}

/** Nine places, rounded half up to fewer. */
function roundedAt(nano: bigint, places: number): bigint {
  const unit = 10n ** BigInt(9 - places);
  return (nano + unit / 2n) / unit;
}

/** The exact amount, for hovering and copying. */
export const exactMoneyText = (nanoUsd: bigint): string => `${formatUsd(nanoUsd)} USD`;

/** Counts of tokens and the like: whole below ten thousand, then in thousands, millions, billions. */
export function countText(count: number | bigint, language = "en"): string {
  const value = Number(count);
  if (Math.abs(value) < 10_000) return numberFormat(language).format(value);
  return numberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

export const wholeText = (count: number | bigint, language = "en"): string => numberFormat(language).format(count);

/** A share from 0 to 1. Below one per cent, two places. */
export function percentText(share: number, language = "en"): string {
  const places = share !== 0 && Math.abs(share) < 0.01 ? 2 : 1;
  return numberFormat(language, { style: "percent", maximumFractionDigits: places }).format(share);
}

export function durationText(ms: number, language = "en"): string {
  const number = (value: number, places: number) =>
    numberFormat(language, { maximumFractionDigits: places }).format(value);
  if (ms < 1_000) return `${number(ms, 0)} ms`;
  if (ms < 60_000) return `${number(ms / 1_000, ms < 10_000 ? 2 : 1)} s`;
  if (ms < 3_600_000) return `${number(Math.floor(ms / 60_000), 0)} min ${number((ms % 60_000) / 1_000, 0)} s`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`;
  return `${Math.floor(ms / 86_400_000)} d ${Math.floor((ms % 86_400_000) / 3_600_000)} h`;
}

/** How often something comes, such as "20 seconds" or "10 minutes". */
export function intervalText(ms: number, language = "en"): string {
  const [unit, size] = INTERVALS.find(([, size]) => ms >= 2 * size) ?? (["second", 1_000] as const);
  const format = { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 } as const;
  return numberFormat(language, format).format(ms / size);
}

const INTERVALS: readonly (readonly [string, number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

const STEPS: readonly [number, Intl.RelativeTimeFormatUnit][] = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [30, "day"],
  [12, "month"],
  [Number.POSITIVE_INFINITY, "year"],
];

/** How long ago, or how long from now, in the language's own words. */
export function relativeText(at: Date, now: Date, language = "en"): string {
  let amount = (at.getTime() - now.getTime()) / 1_000;
  for (const [size, unit] of STEPS) {
    if (Math.abs(amount) < size) {
      return relativeFormat(language, { numeric: "auto", style: "short" }).format(Math.round(amount), unit);
    }
    amount /= size;
  }
  return "";
}

/** A moment with its time zone, to the second. */
export function momentText(at: Date, language = "en", timeZone = "UTC"): string {
  return dateFormat(language, { dateStyle: "medium", timeStyle: "long", timeZone }).format(at);
}
