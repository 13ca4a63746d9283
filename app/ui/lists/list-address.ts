import { useSearchParams } from "react-router";
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

/** Address of the file with exactly this list. */
export function useFileAddress(path: string): string {
  const [query] = useSearchParams();
  return `${path}${addressWith(query, { after: null })}`;
}

/** The addresses of the neighbouring pages of a list, for `Pager`. `next`: the position after this page. */
export function usePages(next: string | number | bigint | null, { position = "after", anchor = "" } = {}) {
  const [query] = useSearchParams();
  const at = (place: string | null) => `${addressWith(query, { [position]: place })}${anchor}`;
  return { newer: query.has(position) ? at(null) : null, older: next === null ? null : at(String(next)) };
}
