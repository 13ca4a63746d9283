/** A calendar month, as `2026-11`. */
export type Month = string & { readonly month?: never };

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

export const isMonth = (text: string): boolean => MONTH.test(text);

/** Month of a time in a time zone. */
export function monthOf(at: Date, timeZone: string): Month {
  const parts = new Intl.DateTimeFormat("en", { timeZone, year: "numeric", month: "2-digit" }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}`;
}

/** The next month; `by` -1: the previous one. */
export function monthAfter(month: Month, by = 1): Month {
  const [, year = "", number = ""] = MONTH.exec(month) ?? [];
  return new Date(Date.UTC(Number(year), Number(number) - 1 + by, 1)).toISOString().slice(0, 7);
}

/** All months of a range, newest first. */
export function monthsBetween(first: Month, last: Month): Month[] {
  const months: Month[] = [];
  for (let month = last; month >= first; month = monthAfter(month, -1)) months.push(month);
  return months;
}

/** A valid time zone; UTC for null and for an unknown name. */
export function knownTimeZone(timeZone: string | null): string {
  try {
    return timeZone ? new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone : "UTC";
  } catch {
    return "UTC";
  }
}
