import { startOfDay, startOfLast30Days } from "./calendar-days";

/** How far back the overview, usage, the request log and reports look. */
export const RANGES = ["24h", "7d", "30d", "90d"] as const;
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
