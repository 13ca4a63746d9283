import { Cron } from "croner";
import type { Cadence } from "./shared";

/** Cron patterns of the preset cadences: 08:00 every day, on Mondays, on the first of the month. */
export const PRESETS: Record<Exclude<Cadence, "custom">, string> = {
  daily: "0 8 * * *",
  weekly: "0 8 * * 1",
  monthly: "0 8 1 * *",
};

const MIN_APART_MS = 3_600_000;
const LOOKED_AT = 30;
const FIVE_FIELDS = /^\S+(?: +\S+){4}$/;

/**
 * Returns up to `count` times of a five-field cron pattern after a time, in a time zone. A time skipped by a clock change runs right after
 * the change; a repeated time runs once. Null: the pattern is invalid, never matches, or matches twice within an hour.
 */
export function timesOf(cron: string, zone: string, { after, count }: { after: Date; count: number }): Date[] | null {
  const times = cronTimes(cron, zone, { after, count: Math.max(count, LOOKED_AT) });
  if (times.length === 0) return null;
  const areApart = times.every(
    (at, index) => index === 0 || at.getTime() - times[index - 1]!.getTime() >= MIN_APART_MS,
  );
  return areApart ? times.slice(0, count) : null;
}

/** Returns the next time of a pattern after a time; null: none. */
export const nextTime = (cron: string, zone: string, after: Date): Date | null =>
  cronTimes(cron, zone, { after, count: 1 })[0] ?? null;

function cronTimes(cron: string, zone: string, { after, count }: { after: Date; count: number }): Date[] {
  if (!FIVE_FIELDS.test(cron)) return [];
  try {
    return new Cron(cron, { timezone: zone, mode: "5-part", paused: true }).nextRuns(count, after);
  } catch {
    return [];
  }
}
