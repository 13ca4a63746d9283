import { z } from "zod";
import { isLine } from "~/domain/identity/shared";
import type { UsageFilter, UsageGroup } from "~/domain/metering/shared";
import { issue } from "~/errors/message";

export const ReportName = z
  .string()
  .trim()
  .min(1, issue("problems:enterAName"))
  .max(120)
  .refine(isLine, issue("problems:nameUnshowable"));

/** Who may read the question of a saved report besides its owner. */
export const VISIBILITIES = ["private", "department", "organisation"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** A saved report, as those who may read it see it. `question`: the parameters of the builder, as its address has them. */
export type SavedReport = {
  id: number;
  name: string;
  question: string;
  visibility: Visibility;
  /** Counts the changes. */
  version: number;
  owner: string;
  createdAt: Date;
  updatedAt: Date;
  /** Whether the reader may rename and delete it. */
  canChange: boolean;
};

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

/** A question in values: what usage is asked about, by whose clocks, told apart by what, and which measures are wanted. */
export type ReportAsked = UsageFilter & {
  zone?: string;
  group?: UsageGroup | "none";
  interval?: Interval;
} & { [Name in Measure]?: boolean };

/** The formats of a report's file: comma-separated values, JSON by the line, a workbook. */
export const EXPORT_FORMATS = ["csv", "jsonl", "xlsx"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A file is kept for so many days. */
export const EXPORT_KEPT_DAYS = 7;
/** So many exports of one person wait or are written at a time. */
export const MAX_EXPORTS_AT_ONCE = 3;

export type ExportStatus = "queued" | "running" | "done" | "failed" | "cancelled";

/** `no_access`: its person is not active any more; `too_large`: more rows or bytes than a file may have; `interrupted`: cut off too often. */
type ExportProblem = "no_access" | "too_large" | "interrupted";

/** A file of a report, as its person sees it. */
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
  /** Of the whole file, hexadecimal; null until it is done. */
  sha256: string | null;
  problem: ExportProblem | null;
  createdAt: Date;
  finishedAt: Date | null;
  expiresAt: Date | null;
};

/** When a schedule has its times: every day, every Monday, the first of every month, or as a pattern says. */
export const CADENCES = ["daily", "weekly", "monthly", "custom"] as const;
export type Cadence = (typeof CADENCES)[number];

/** A schedule, as its person sees it. */
export type ReportSchedule = {
  id: number;
  reportId: number;
  /** Of the report. */
  name: string;
  format: ExportFormat;
  /** Five fields, by the clocks of `zone`. */
  cron: string;
  zone: string;
  byMail: boolean;
  byWebhook: boolean;
  /** Why it is over; null: it is in force. `no_access`: its person's role or place has changed, or they cannot read the report any more. */
  disabledBecause: "person" | "no_access" | null;
  nextRunAt: Date | null;
  /** Its next times. */
  next: Date[];
};

/** One period of a schedule, and what came of it. */
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
  /** Of the file, while it is kept. */
  exportId: string | null;
};
