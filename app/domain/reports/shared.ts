import { z } from "zod";
import { isLine } from "~/domain/accounts/shared";
import type { UsageFilter, UsageGroup } from "~/domain/usage/shared";
import { issue } from "~/errors/message";

export const ReportName = z
  .string()
  .trim()
  .min(1, issue("problems:enterAName"))
  .max(120)
  .refine(isLine, issue("problems:nameUnshowable"));

/** Readers of a saved report's question beside its owner. */
export const VISIBILITIES = ["private", "department", "organisation"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** A saved report for its readers. `question`: the builder's URL parameters. */
export type SavedReport = {
  id: number;
  name: string;
  question: string;
  visibility: Visibility;
  /** Increases with each change. */
  version: number;
  owner: string;
  createdAt: Date;
  updatedAt: Date;
  /** Whether the reader may rename and delete it. */
  canChange: boolean;
};

/** Time covered by one row of a report. */
export const INTERVALS = ["total", "day", "hour"] as const;
export type Interval = (typeof INTERVALS)[number];

/** Measures of a report in the order of its columns, named as in the usage file. */
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

/** Default measures of a report. */
export const USUAL_MEASURES: readonly Measure[] = [
  "charged_usd",
  "requests",
  "errors",
  "input_tokens",
  "output_tokens",
];

/** A parsed question: usage filter, time zone, grouping, interval and measures. */
export type ReportRequest = UsageFilter & {
  zone?: string;
  group?: UsageGroup | "none";
  interval?: Interval;
} & { [Name in Measure]?: boolean };

/** Formats of a report's file: CSV, JSON lines, Excel workbook. */
export const EXPORT_FORMATS = ["csv", "jsonl", "xlsx"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Retention of a file in days. */
export const EXPORT_KEPT_DAYS = 7;
/** Maximum waiting and running exports of one person. */
export const MAX_EXPORTS_AT_ONCE = 3;

export type ExportStatus = "queued" | "running" | "done" | "failed" | "cancelled";

/** `no_access`: the person is inactive; `too_large`: too many rows or bytes; `interrupted`: interrupted too often. */
type ExportProblem = "no_access" | "too_large" | "interrupted";

/** An export of a report for its person. */
export type ReportExport = {
  id: string;
  /** Null: the report is deleted. */
  reportId: number | null;
  name: string;
  format: ExportFormat;
  status: ExportStatus;
  percent: number;
  rows: number;
  bytes: bigint;
  /** SHA-256 of the whole file in hexadecimal; null until it is done. */
  sha256: string | null;
  problem: ExportProblem | null;
  createdAt: Date;
  finishedAt: Date | null;
  expiresAt: Date | null;
};

/** Cadence of a schedule: every day, every Monday, the first of every month, or a cron pattern. */
export const CADENCES = ["daily", "weekly", "monthly", "custom"] as const;
export type Cadence = (typeof CADENCES)[number];

/** A schedule for its person. */
export type ReportSchedule = {
  id: number;
  reportId: number;
  /** Of the report. */
  name: string;
  format: ExportFormat;
  /** Five-field cron pattern in the time zone `zone`. */
  cron: string;
  zone: string;
  byMail: boolean;
  byWebhook: boolean;
  /** Why it is disabled; null: active. `no_access`: the person's role or place has changed, or they can no longer read the report. */
  disabledBecause: "person" | "no_access" | null;
  nextRunAt: Date | null;
  /** The next times. */
  next: Date[];
};

/** The run of a schedule for one period. */
export type ScheduleRun = {
  id: number;
  scheduleId: number;
  /** Of the report. */
  name: string;
  period: Date;
  status: "running" | "done" | "failed";
  problem: ExportProblem | "cancelled" | null;
  rows: number;
  bytes: bigint;
  durationMs: number | null;
  reviewedAt: Date | null;
  /** Id of the export while its file is retained. */
  exportId: string | null;
};
