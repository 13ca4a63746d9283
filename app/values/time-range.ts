import { startOfDay, startOfLast30Days } from "./calendar-days";

/** Time ranges of the overview, usage, the request log and reports. */
export const RANGES = ["24h", "7d", "30d", "90d"] as const;
export type Range = (typeof RANGES)[number];

export type Window = { from: Date; to: Date; bucket: "hour" | "day"; timeZone: string };

const HOUR_MS = 3_600_000;

/**
 * Returns the window of a range that ends with the hour of `now`, and the preceding window of the same length. Both
 * consist of whole hours, so that hourly sums suffice; days begin at midnight in the time zone.
 */
export function windowOf(range: Range, timeZone: string, now: Date): Window & { before: { from: Date; to: Date } } {
  const to = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS + HOUR_MS);
  const from =
    range === "24h"
      ? new Date(to.getTime() - 24 * HOUR_MS)
      : range === "7d"
        ? startOfDay(now, timeZone, 6)
        : range === "30d"
          ? startOfLast30Days(now, timeZone)
          : startOfDay(now, timeZone, 89);
  const before = { from: new Date(from.getTime() - (to.getTime() - from.getTime())), to: from };
  return { from, to, bucket: range === "24h" ? "hour" : "day", timeZone, before };
}

/**
 * Returns a name of a time zone that the database knows too; null: there is none. Short names, such as IST, and offsets
 * mean other zones in the database, or none, so they are replaced by their region's name.
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
