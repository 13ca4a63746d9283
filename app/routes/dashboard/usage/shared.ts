/** Dimensions of usage, in page order. */
export const USAGE_GROUPS = [
  "model",
  "key",
  "user",
  "department",
  "project",
  "supplier",
  "region",
  "organisation",
] as const;

/** Measures of the usage chart. */
export const METRICS = ["cost", "requests", "tokens", "errors", "rejections"] as const;
export type Metric = (typeof METRICS)[number];
