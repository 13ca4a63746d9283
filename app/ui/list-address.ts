import { useSearchParams } from "react-router";
import type { Chip } from "~/ui/list-parts";
import { dateFormat } from "./format";

/** The address of the same list with some values changed; null and "" take a value away. */
export function addressWith(query: URLSearchParams, changes: Readonly<Record<string, string | null>>): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") next.delete(name);
    else next.set(name, value);
  }
  return `?${next}`;
}

/** The request log with the filters and the time zone of a list, and some values changed. */
export function requestLogAddress(query: URLSearchParams, changes: Readonly<Record<string, string | null>>): string {
  return `/dashboard/request-log${addressWith(query, { metric: null, group: null, ...changes })}`;
}

/** The part of an address that narrows the request log to one bar of a chart: an hour (UTC), or a day where the reader's clock is. */
export function spanOfBar(at: Date, { bucket, timeZone }: { bucket: "hour" | "day"; timeZone: string }) {
  const start = new Date(at);
  if (bucket === "hour") return { range: null, since: null, until: null, hour: start.toISOString() };
  const day = dateFormat("sv", { timeZone, dateStyle: "short" }).format(start);
  return { range: null, since: day, until: day, hour: null };
}

/** A filter's label, how its value reads, and what goes away together with it. */
export type ChipWords = readonly [label: string, text: (value: string) => string, also?: readonly string[]];

/** The filters in force as chips, by their names. */
export function useChips(words: Readonly<Record<string, ChipWords>>): Chip[] {
  const [query] = useSearchParams();
  return Object.entries(words).flatMap(([name, [label, text, also = []]]) => {
    const value = query.get(name);
    if (!value) return [];
    const gone = Object.fromEntries([name, ...also, "after", "before"].map((each) => [each, null]));
    return [{ label, value: text(value), without: addressWith(query, gone) }];
  });
}

/** Where the file of exactly this list is. */
export function useFileAddress(path: string): string {
  const [query] = useSearchParams();
  return `${path}${addressWith(query, { after: null })}`;
}
