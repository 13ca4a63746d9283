/**
 * Returns the start of the last 30 days for all displays of spending: midnight of the day 29 days before today, so that
 * today is the thirtieth day. A rolling budget differs: it counts 720 hours.
 */
export const startOfLast30Days = (now: Date, timeZone = "UTC"): Date => startOfDay(now, timeZone, 29);

/** Returns midnight, in a time zone, of the day `daysBefore` days before a time. */
export function startOfDay(at: Date, timeZone: string, daysBefore = 0): Date {
  const [year, month, day] = dateIn(timeZone, at);
  const wantedMs = Date.UTC(year, month - 1, day - daysBefore);
  // The first offset is right unless the offset changes in between; then the offset at the second guess is right.
  const first = wantedMs - offsetAt(timeZone, wantedMs);
  return new Date(wantedMs - offsetAt(timeZone, first));
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
