import type { Range, Window } from "~/values/time-range";

/**
 * The scope of a usage query. The organisation is required; null: all organisations (operators only). Lists restrict further, an absent
 * list does not, and an empty list matches nothing. Ids are database ids.
 */
export type UsageScope = {
  organisationId: number | null;
  organisationIds?: readonly number[];
  keyIds?: readonly number[];
  userIds?: readonly number[];
  departmentIds?: readonly number[];
  projectIds?: readonly number[];
  models?: readonly string[];
  suppliers?: readonly string[];
  regions?: readonly string[];
};

/** Filter of a usage page: days of the viewer's time zone (`since` and `until` inclusive) or a range; scopes by database id. */
export type UsageFilter = {
  range?: Range | "custom";
  since?: string;
  until?: string;
  model?: string;
  supplier?: string;
  region?: string;
  key?: number;
  user?: number;
  department?: number;
  project?: number;
  organisation?: number;
};

/** The requested time span, and the preceding one of the same length. */
export type UsageWindow = Window & { before: { from: Date; to: Date }; range: Range | "custom" };

/** Dimensions by which sums can be grouped, in the order of pages. */
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
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** Measures of the usage chart. */
export const USAGE_METRICS = ["cost", "requests", "tokens", "errors", "rejections"] as const;
export type UsageMetric = (typeof USAGE_METRICS)[number];

/** The question of a page, a file or an answer: scope, period and dimension. */
export type UsageQuestion = { scope: UsageScope; window: UsageWindow; group: UsageGroup; zone: string | null };

/** Sums over finished calls. Averages are sums divided by counts: `latencyMs / requests`, `firstByteMs / firstBytes`. */
export type UsageCounters = {
  requests: number;
  /** Requests without a successful answer; included in `requests`. */
  errors: number;
  /** Requests answered after a failed attempt. */
  failovers: number;
  /** Requests whose model the autorouter chose. */
  routed: number;
  inputTokens: bigint;
  cachedInputTokens: bigint;
  cacheWriteTokens: bigint;
  outputTokens: bigint;
  reasoningTokens: bigint;
  /** Cost of the calls, and the part charged to customers. */
  costNanoUsd: bigint;
  chargedNanoUsd: bigint;
  /** Savings by the autorouter; negative where it chose a more expensive model. */
  savedNanoUsd: bigint;
  latencyMs: bigint;
  firstByteMs: bigint;
  /** Number of requests with a first byte. */
  firstBytes: number;
};

/** `group` is an id for organisation, key, user, department and project (null: none), a name for the others; null when not grouped. */
export type UsagePoint = UsageCounters & { bucket: Date; group: number | string | null };
export type UsageTotal = UsageCounters & { group: number | string | null };

/**
 * `rejections`: requests that were rejected before a supplier was called, not part of the other counters; null: not
 * counted with such a filter.
 */
export type GroupUsage = UsageCounters & {
  group: UsageTotal["group"];
  name: string | null;
  rejections: number | null;
};

/** One figure: current window, previous window, and value per bucket. */
export type Stat = { now: number; before: number; line: number[] };

/**
 * Requests that were rejected before a supplier was called. No other figure includes them. `codes`: most frequent
 * first.
 */
export type Rejected = Stat & { codes: { code: string; rejections: number; line: number[] }[] };

/** Rejections of a bucket for one reason. `scope`: the scope of the limit; empty: no limit. */
export type RejectionPoint = { bucket: Date; code: string; scope: string; rejections: number };

/** Rejections of a group in a bucket; `group` as in usage. */
export type GroupRejections = { bucket: Date; group: UsageTotal["group"]; rejections: number };

/** Rejections for one reason in a span, with the time of the last one and the key with most of them. */
export type RejectionReason = Omit<RejectionPoint, "bucket"> & { lastAt: Date; keys: number; keyId: number };

/** Durations of the answered calls of a model or a supplier, in milliseconds; null: no call had a first byte. */
export type LatencySpread = {
  group: string;
  requests: number;
  latencyP50: number;
  latencyP95: number;
  firstByteP50: number | null;
  firstByteP95: number | null;
};

/** Sums of routed requests with the same serving model, algorithm and default model. */
export type RoutedSum = {
  model: string;
  algorithm: string;
  /** The model that would have served without the autorouter. */
  defaultModel: string;
  requests: number;
  chargedNanoUsd: bigint;
  /** Cost of the same usage on the default model, at the prices of that time. */
  defaultNanoUsd: bigint;
};

/** The autorouter's choices and savings in a span. */
export type AutorouterReport = {
  requests: number;
  chargedNanoUsd: bigint;
  defaultNanoUsd: bigint;
  /** Chat requests of the keys that used `auto`, and those among them with a fixed model. */
  eligible: number;
  overridden: number;
  /** Most requests first. */
  sums: RoutedSum[];
  /** By UTC day. */
  days: { day: Date; requests: number; savedNanoUsd: bigint }[];
};

/** Groupings of the quality explorer. */
export const QUALITY_GROUPS = ["both", "model", "supplier"] as const;
export type QualityGroup = (typeof QUALITY_GROUPS)[number];

/** Quality figures of one group of calls. The name of an ungrouped dimension is empty. */
export type QualityRow = {
  model: string;
  supplier: string;
  requests: number;
  complete: number;
  /** Complete calls without output tokens, of endpoints that return text. */
  empty: number;
  /** Cut off by the supplier or by a crash of gw. */
  truncated: number;
  clientAborts: number;
  failed: number;
  /** Calls with more than one attempt. */
  retried: number;
  /** The failed calls by class of error; the four add up to `failed`. */
  rateLimited: number;
  timedOut: number;
  unavailable: number;
  refused: number;
  /** Median and 95th percentile of complete calls; null: none. */
  latencyMs: number[] | null;
  /** Median; null: none. */
  firstByteMs: number | null;
};

/** Figures of a model in a region on a UTC day, over all customers. */
export type StatusDay = {
  day: Date;
  model: string;
  region: string;
  requests: number;
  /** Requests that no supplier answered; included in `requests`. */
  errors: number;
  latencyMs: bigint;
  firstByteMs: bigint;
  firstBytes: number;
};

/** Traffic of a model at a supplier: answered requests, tokens of all requests, and the amount charged. */
export type RouteTraffic = {
  model: string;
  supplier: string;
  requests: number;
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  chargedNanoUsd: bigint;
};

/** Usage of a key since a time. */
export type KeyUse = { requests: number; chargedNanoUsd: bigint };
