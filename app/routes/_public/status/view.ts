import type { StatusDay } from "~/domain/usage/shared";

/**
 * Minimum number of requests of a model in a region for a day to be shown, so that figures reveal no single customer's
 * traffic.
 */
export const MIN_REQUESTS = 50;
export const DAYS = 90;
const DAY_MS = 86_400_000;

/** A model in a region. Shares are rounded to a thousandth; there are no counts. */
export type StatusLine = {
  model: string;
  region: string;
  /** Share of successful requests over all shown days, 0 to 1. */
  uptime: number;
  latencyMs: number;
  firstByteMs: number | null;
  /** Share per day, oldest first; null: too few requests on that day. */
  days: (number | null)[];
};
export type StatusView = { lines: StatusLine[] };

/**
 * Returns the lines of the page from daily sums: each model and region with enough requests on at least one day, by
 * name.
 */
export function statusOf(sums: readonly StatusDay[], now: Date): StatusView {
  const today = Math.floor(now.getTime() / DAY_MS);
  const first = today - DAYS + 1;
  const groups = new Map<string, StatusDay[]>();
  for (const sum of sums) {
    if (sum.requests < MIN_REQUESTS || dayOf(sum.day) < first || dayOf(sum.day) > today) continue;
    const name = `${sum.model}\n${sum.region}`;
    groups.set(name, [...(groups.get(name) ?? []), sum]);
  }
  return {
    lines: [...groups.values()].map((days) => lineOf(days, first)).toSorted(byName),
  };
}

function lineOf(days: readonly StatusDay[], first: number): StatusLine {
  const { model, region } = days[0] as StatusDay;
  const sum = (of: (day: StatusDay) => number) => days.reduce((total, day) => total + of(day), 0);
  const firstBytes = sum((day) => day.firstBytes);
  const byDay: (number | null)[] = Array.from({ length: DAYS }, () => null);
  for (const day of days) byDay[dayOf(day.day) - first] = shareOf(day.requests, day.errors);
  return {
    model,
    region,
    days: byDay,
    uptime: shareOf(
      sum(({ requests }) => requests),
      sum(({ errors }) => errors),
    ),
    latencyMs: rounded(sum((day) => Number(day.latencyMs)) / sum(({ requests }) => requests)),
    firstByteMs: firstBytes < MIN_REQUESTS ? null : rounded(sum((day) => Number(day.firstByteMs)) / firstBytes),
  };
}

const byName = (a: StatusLine, b: StatusLine) => (`${a.model}\n${a.region}` < `${b.model}\n${b.region}` ? -1 : 1);
const dayOf = (at: Date) => Math.floor(at.getTime() / DAY_MS);
const shareOf = (requests: number, errors: number) => Math.floor(((requests - errors) / requests) * 1_000) / 1_000;
/** Two significant digits. */
const rounded = (ms: number) => Number(ms.toPrecision(2));
