import type { Rejected } from "~/domain/usage/shared";
import { dateFormat } from "~/ui/format";

/** Charged amount of one model in one bucket. */
export type StackPoint = { bucket: Date; model: string; nanoUsd: bigint };

const MAX_SERIES = 4;

/**
 * Converts points to stacked bars: the models with the highest cost, and the sum of the others. Values are US dollars.
 */
export function stackOf(
  buckets: readonly Date[],
  points: readonly StackPoint[],
  options: { language: string; timeZone: string; bucket: "hour" | "day"; others: string },
) {
  const totals = new Map<string, bigint>();
  for (const { model, nanoUsd } of points) totals.set(model, (totals.get(model) ?? 0n) + nanoUsd);
  const ranked = [...totals].toSorted(([, a], [, b]) => (a === b ? 0 : a < b ? 1 : -1)).map(([model]) => model);
  const named = ranked.length <= MAX_SERIES + 1 ? ranked : ranked.slice(0, MAX_SERIES);
  const names = named.length < ranked.length ? [...named, options.others] : named;
  const place = new Map(buckets.map((bucket, index) => [new Date(bucket).getTime(), index]));
  const sums = names.map(() => buckets.map(() => 0n));
  for (const { bucket, model, nanoUsd } of points) {
    const row = sums[named.includes(model) ? named.indexOf(model) : names.length - 1];
    const index = place.get(new Date(bucket).getTime());
    if (row && index !== undefined) row[index] = (row[index] ?? 0n) + nanoUsd;
  }
  return {
    bins: buckets.map((bucket) => binOf(new Date(bucket), options)),
    series: names.map((name, index) => ({ name, values: (sums[index] ?? []).map((nano) => Number(nano) / 1e9) })),
  };
}

/** Returns the labels of a bucket, for the axis and for the table. */
export function binOf(
  at: Date,
  { language, timeZone, bucket }: { language: string; timeZone: string; bucket: "hour" | "day" },
) {
  const text = (options: Intl.DateTimeFormatOptions) => dateFormat(language, { timeZone, ...options }).format(at);
  return bucket === "hour"
    ? {
        label: text({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
        long: text({ dateStyle: "medium", timeStyle: "short" }),
      }
    : { label: text({ day: "numeric" }), long: text({ dateStyle: "long" }) };
}

/** Number of reasons with their own colour in a chart. */
const MAX_CODES = 5;

/** Returns the most frequent reasons over time, and the sum of the others. */
export function rejectedSeries({ codes, line }: Rejected, others: string): { name: string; values: number[] }[] {
  const series = codes.slice(0, MAX_CODES).map(({ code, line: values }) => ({ name: code, values }));
  const rest = codes.slice(MAX_CODES);
  if (rest.length === 0) return series;
  const sumAt = (place: number) => rest.reduce((sum, { line: values }) => sum + (values[place] ?? 0), 0);
  return [...series, { name: others, values: line.map((_, place) => sumAt(place)) }];
}
