/** What usage can be told apart by, in the order of the page. */
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

/** What the bars of usage show. */
export const METRICS = ["cost", "requests", "tokens", "errors", "rejections"] as const;
export type Metric = (typeof METRICS)[number];
