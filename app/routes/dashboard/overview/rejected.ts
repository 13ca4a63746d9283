import type { RejectionPoint } from "~/domain/usage/shared";

/** One figure: current window, previous window, and value per bucket. */
export type Stat = { now: number; before: number; line: number[] };

/**
 * Requests that were rejected before a supplier was called. No other figure includes them. `codes`: most frequent
 * first.
 */
export type Rejected = Stat & { codes: { code: string; rejections: number; line: number[] }[] };

/** Number of reasons with their own colour in a chart. */
const MAX_SERIES = 5;

/** Returns the most frequent reasons over time, and the sum of the others. */
export function rejectedSeries({ codes, line }: Rejected, others: string): { name: string; values: number[] }[] {
  const series = codes.slice(0, MAX_SERIES).map(({ code, line: values }) => ({ name: code, values }));
  const rest = codes.slice(MAX_SERIES);
  if (rest.length === 0) return series;
  const sumAt = (place: number) => rest.reduce((sum, { line: values }) => sum + (values[place] ?? 0), 0);
  return [...series, { name: others, values: line.map((_, place) => sumAt(place)) }];
}

/** Sums the rejections of two windows: the previous one, and the current one from `from` on. */
export function rejectedOf(buckets: readonly Date[], from: Date, all: readonly RejectionPoint[]): Rejected {
  const places = new Map(buckets.map((bucket, place) => [bucket.getTime(), place]));
  const line = buckets.map(() => 0);
  const codes = new Map<string, Rejected["codes"][number]>();
  let before = 0;
  for (const { bucket, code, rejections } of all) {
    const place = places.get(bucket.getTime());
    if (bucket < from) before += rejections;
    if (bucket < from || place === undefined) continue;
    const entry = codes.get(code) ?? { code, rejections: 0, line: buckets.map(() => 0) };
    codes.set(code, entry);
    entry.rejections += rejections;
    entry.line[place] = (entry.line[place] ?? 0) + rejections;
    line[place] = (line[place] ?? 0) + rejections;
  }
  const sorted = [...codes.values()].toSorted((a, b) => b.rejections - a.rejections);
  return { now: sorted.reduce((sum, { rejections }) => sum + rejections, 0), before, line, codes: sorted };
}
