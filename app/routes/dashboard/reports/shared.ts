/** How long the stretches of time are that a report has a row for. */
export const INTERVALS = ["total", "day", "hour"] as const;
export type Interval = (typeof INTERVALS)[number];

/** What a report can measure, in the order of its columns; by the names of the usage file. */
export const MEASURES = [
  "charged_usd",
  "requests",
  "errors",
  "failovers",
  "input_tokens",
  "cached_input_tokens",
  "cache_write_tokens",
  "output_tokens",
  "reasoning_tokens",
  "average_latency_ms",
  "average_first_byte_ms",
] as const;
export type Measure = (typeof MEASURES)[number];

/** Those of a report that names none. */
export const USUAL_MEASURES: readonly Measure[] = [
  "charged_usd",
  "requests",
  "errors",
  "input_tokens",
  "output_tokens",
];
