/** How far back the overview looks. */
export const RANGES = ["24h", "7d", "30d"] as const;
export type Range = (typeof RANGES)[number];

export type Window = { from: Date; to: Date; bucket: "hour" | "day"; timeZone: string };

const HOUR_MS = 3_600_000;

/**
 * The window of a range that ends with the hour of `now`, and the one of the same length before it. Hours are whole, so
 * that sums by the hour answer for both; days begin at midnight in the time zone.
 */
export function windowOf(range: Range, timeZone: string, now: Date): Window & { before: { from: Date; to: Date } } {
  const to = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS + HOUR_MS);
  const from =
    range === "24h" ? new Date(to.getTime() - 24 * HOUR_MS) : startOfDay(now, timeZone, range === "7d" ? 6 : 29);
  const before = { from: new Date(from.getTime() - (to.getTime() - from.getTime())), to: from };
  return { from, to, bucket: range === "24h" ? "hour" : "day", timeZone, before };
}

/** Midnight of the day `daysBefore` days before a moment, where the clocks of a time zone show it. */
export function startOfDay(at: Date, timeZone: string, daysBefore = 0): Date {
  const [year, month, day] = dateIn(timeZone, at);
  const wanted = Date.UTC(year, month - 1, day - daysBefore);
  // The offset at a guess is right unless a change of clocks lies between; then that at the second guess is.
  const first = wanted - offsetAt(timeZone, wanted);
  return new Date(wanted - offsetAt(timeZone, first));
}

function dateIn(timeZone: string, at: Date): [number, number, number] {
  const parts = new Intl.DateTimeFormat("en-u-ca-gregory", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
  }).formatToParts(at);
  const number = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return [number("year"), number("month"), number("day")];
}

function offsetAt(timeZone: string, at: number): number {
  const parts = new Intl.DateTimeFormat("en-u-ca-gregory", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(new Date(at));
  const number = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(
    number("year"),
    number("month") - 1,
    number("day"),
    number("hour"),
    number("minute"),
    number("second"),
  );
  return shown - Math.floor(at / 1000) * 1000;
}

/**
 * The name by which the database knows a time zone too; null: there is none. Short names, such as IST, and offsets are other
 * zones to it, or none at all: they give way to their region's name.
 */
export function timeZoneNamed(name: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    if (/^(?:[+-]|SystemV\/)/.test(timeZone)) return null;
    return /^(?!US\/)\w+\//.test(name) ? name : timeZone;
  } catch {
    return null;
  }
}
