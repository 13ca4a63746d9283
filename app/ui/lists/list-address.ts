import { useSearchParams } from "react-router";
import type { Chip } from "~/ui/lists/list-parts";
import { dateFormat } from "../format";

/** Returns the address of the same list with some changed values; null and "" remove a value. */
export function addressWith(query: URLSearchParams, changes: Readonly<Record<string, string | null>>): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") next.delete(name);
    else next.set(name, value);
  }
  return `?${next}`;
}

/** Returns the address of the request log with a list's filters and time zone, and some changed values. */
export function requestLogAddress(query: URLSearchParams, changes: Readonly<Record<string, string | null>>): string {
  return `/dashboard/request-log${addressWith(query, { metric: null, group: null, ...changes })}`;
}

/**
 * The query values that limit the request log to one bar of a chart: an hour (UTC), or a day in the reader's time zone.
 */
export function spanOfBar(at: Date, { bucket, timeZone }: { bucket: "hour" | "day"; timeZone: string }) {
  const start = new Date(at);
  if (bucket === "hour") return { range: null, since: null, until: null, hour: start.toISOString() };
  const day = dateFormat("sv", { timeZone, dateStyle: "short" }).format(start);
  return { range: null, since: day, until: day, hour: null };
}

/** A filter's label, the text of its value, and further filters that are removed with it. */
export type ChipWords = readonly [label: string, text: (value: string) => string, also?: readonly string[]];

/** The active filters as chips, by name. */
export function useChips(words: Readonly<Record<string, ChipWords>>): Chip[] {
  const [query] = useSearchParams();
  return Object.entries(words).flatMap(([name, [label, text, also = []]]) => {
    const value = query.get(name);
    if (!value) return [];
    const gone = Object.fromEntries([name, ...also, "after", "before"].map((each) => [each, null]));
    return [{ label, value: text(value), without: addressWith(query, gone) }];
  });
}

/** Address of the file with exactly this list. */
export function useFileAddress(path: string): string {
  const [query] = useSearchParams();
  return `${path}${addressWith(query, { after: null })}`;
}
