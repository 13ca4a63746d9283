export { decimalUsdText, meanMoneyText, moneyText } from "~/i18n/money-text";

// Creating a formatter costs more than a hundred uses of it, and a page needs only a few.
const formatters = new Map<string, unknown>();

function cached<Formatter>({
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
  const formatter = make();
  formatters.set(name, formatter);
  return formatter;
}

const numberFormat = (language: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  cached({ kind: "number", language, options, make: () => new Intl.NumberFormat(language, options) });

/** Returns the date formatter of a language; cached. */
export const dateFormat = (language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  cached({ kind: "date", language, options, make: () => new Intl.DateTimeFormat(language, options) });

const relativeFormat = (language: string, options: Intl.RelativeTimeFormatOptions): Intl.RelativeTimeFormat =>
  cached({ kind: "relative", language, options, make: () => new Intl.RelativeTimeFormat(language, options) });

/** Formats counts, for example of tokens: exact below ten thousand, then in thousands, millions, billions. */
export function countText(count: number | bigint, language: string): string {
  const value = Number(count);
  if (Math.abs(value) < 10_000) return numberFormat(language).format(value);
  return numberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

export const wholeText = (count: number | bigint, language: string): string => numberFormat(language).format(count);

/** Formats a share from 0 to 1 as a percentage; below one percent with two decimals. */
export function percentText(share: number, language: string): string {
  const places = share !== 0 && Math.abs(share) < 0.01 ? 2 : 1;
  return numberFormat(language, { style: "percent", maximumFractionDigits: places }).format(share);
}

/** Formats a duration in its two largest units. The unit symbols are international, except for the French day. */
export function durationText(ms: number, language: string): string {
  const number = (value: number, places = 0) => numberFormat(language, { maximumFractionDigits: places }).format(value);
  const integer = (value: number) => number(Math.floor(value));
  if (ms < 1_000) return `${number(ms)} ms`;
  if (ms < 60_000) return `${number(ms / 1_000, ms < 10_000 ? 2 : 1)} s`;
  if (ms < 3_600_000) return `${integer(ms / 60_000)} min ${integer((ms % 60_000) / 1_000)} s`;
  if (ms < 86_400_000) return `${integer(ms / 3_600_000)} h ${integer((ms % 3_600_000) / 60_000)} min`;
  return `${integer(ms / 86_400_000)} ${language === "fr" ? "j" : "d"} ${integer((ms % 86_400_000) / 3_600_000)} h`;
}

/** Formats an interval, such as "20 seconds" or "10 minutes". */
export function intervalText(ms: number, language: string): string {
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

/** Formats a time relative to now, past or future, in words of the language. */
export function relativeText(at: Date, now: Date, language: string): string {
  let amount = (at.getTime() - now.getTime()) / 1_000;
  for (const [size, unit] of STEPS) {
    if (Math.abs(amount) < size) {
      return relativeFormat(language, { numeric: "auto", style: "short" }).format(Math.round(amount), unit);
    }
    amount /= size;
  }
  return "";
}

/** Formats a time to the second, with its time zone. */
export function momentText(at: Date, language: string, timeZone = "UTC"): string {
  return dateFormat(language, { dateStyle: "medium", timeStyle: "long", timeZone }).format(at);
}
