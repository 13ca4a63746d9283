import { Cron } from "croner";
import type { Cadence } from "./shared";

/** The patterns of the usual cadences: at eight in the morning, of every day, of Mondays, of the first of the month. */
export const PRESETS: Record<Exclude<Cadence, "custom">, string> = {
  daily: "0 8 * * *",
  weekly: "0 8 * * 1",
  monthly: "0 8 1 * *",
};

const MIN_APART_MS = 3_600_000;
const LOOKED_AT = 30;
const FIVE_FIELDS = /^\S+(?: +\S+){4}$/;

/**
 * The times of a cron pattern of five fields after a moment, by the clocks of a zone: at most `count`. A time that the clocks skip
 * comes when they go on, one that they show twice comes once. Null: it is no such pattern, names no time, or names some within an hour.
 */
export function timesOf(cron: string, zone: string, { after, count }: { after: Date; count: number }): Date[] | null {
  const times = cronTimes(cron, zone, { after, count: Math.max(count, LOOKED_AT) });
  if (times.length === 0) return null;
  const areApart = times.every(
    (at, index) => index === 0 || at.getTime() - times[index - 1]!.getTime() >= MIN_APART_MS,
  );
  return areApart ? times.slice(0, count) : null;
}

/** The first time of a pattern after a moment; null: there is none. */
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
