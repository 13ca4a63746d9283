import type { CsvCell } from "~/csv";
import type { Reads } from "~/db.server";
import type { Viewpoint } from "~/domain/identity/shared";
import {
  counterAnswer,
  nameGroups,
  narrowed,
  sumOfUsage,
  usageBuckets,
  usagePages,
  usageScopeOf,
  usageTotals,
  windowFor,
} from "~/domain/metering/index.server";
import type { UsageCounters, UsageGroup, UsageScope, UsageTotal, UsageWindow } from "~/domain/metering/shared";
import { formatUsd } from "~/money";
import { timeZoneNamed } from "~/time-range";
import { type Interval, MEASURES, type Measure, type ReportAsked, USUAL_MEASURES } from "./shared";

/** So many stretches of time are asked for at once, at most; fewer where they have more rows than are wanted of one answer. */
const MAX_BUCKETS_AT_ONCE = 24;
const POINTS_AT_ONCE = 1_000;
/** What lives through two collections of garbage is kept until a great one: of a snapshot, fewer rows are in memory than come between two. */
const ROWS_AT_ONCE = 50;
/** So many names are remembered while the rows that have them come by. */
const MAX_NAMES = 10_000;
/** The database adds up anew for each page of totals, so that a page is long. */
const TOTALS_AT_ONCE = 10_000;

/** A question as it is asked: within what its reader may see, from a moment to another. */
export type ReportQuestion = {
  scope: UsageScope;
  window: UsageWindow;
  group: UsageGroup | null;
  interval: Interval;
  measures: readonly Measure[];
};

/** `start` is null where a row stands for the whole time; `group` as usage has it. */
export type ReportRow = UsageCounters & { start: Date | null; group: UsageTotal["group"]; name: string | null };

/** What a question means for an actor at a moment. A report shows nobody more than their usage page does. */
export function askedBy(actor: Viewpoint, query: ReportAsked, now: Date): ReportQuestion {
  const zone = (query.zone === undefined ? null : timeZoneNamed(query.zone)) ?? "UTC";
  const chosen = MEASURES.filter((name) => query[name]);
  return {
    scope: narrowed(usageScopeOf(actor), query),
    window: windowFor(query, zone, now),
    group: query.group === "none" ? null : (query.group ?? "model"),
    interval: query.interval ?? "total",
    measures: chosen.length === 0 ? USUAL_MEASURES : chosen,
  };
}

/** The rows of a report, read as they are taken: by time, then the dearest first where there is one stretch of time. */
export async function* reportRows(db: Reads, question: ReportQuestion): AsyncGenerator<ReportRow[], void, undefined> {
  const { scope, window, group, interval } = question;
  if (interval === "total") {
    for (let offset = 0; ; offset += TOTALS_AT_ONCE) {
      const page = { limit: TOTALS_AT_ONCE, offset };
      const rows = await usageTotals(db, scope, { from: window.from, to: window.to, groupBy: group, page });
      yield withNames(db, group, { rows, startOf: () => null, names: new Map() });
      if (rows.length < TOTALS_AT_ONCE) return;
    }
  }
  const asked = { ...window, bucket: interval, groupBy: group, rowsAtOnce: ROWS_AT_ONCE };
  const buckets = await usageBuckets(db, asked);
  const names: Names = new Map();
  for (let first = 0, count = 1; first < buckets.length; ) {
    const start = buckets[first] as Date;
    const from = start < window.from ? window.from : start;
    const to = buckets[first + count] ?? window.to;
    let found = 0;
    for await (const rows of usagePages(db, scope, { ...asked, from, to })) {
      found += rows.length;
      yield withNames(db, group, { rows, startOf: ({ bucket }) => bucket, names });
    }
    first += count;
    // The next stretch is as long as brings about as many rows as are wanted of one answer.
    const wanted = Math.floor((count * POINTS_AT_ONCE) / Math.max(found, 1));
    count = Math.min(Math.max(wanted, 1), MAX_BUCKETS_AT_ONCE);
  }
}

/** How much of the time of a question lies before the end of a row, in percent; 0 where its rows are not told apart by time. */
export function progressOf({ window }: ReportQuestion, { start }: ReportRow): number {
  if (start === null) return 0;
  const share = (start.getTime() - window.from.getTime()) / (window.to.getTime() - window.from.getTime());
  return Math.min(Math.max(Math.round(100 * share), 0), 100);
}

type Names = Map<string | number | null, string>;

/** Completes the rows themselves: of a million of them, a copy of each would be felt. Looks up the names that `names` does not have. */
async function withNames<Row extends UsageTotal>(
  db: Reads,
  group: UsageGroup | null,
  { rows, startOf, names }: { rows: readonly Row[]; startOf: (row: Row) => Date | null; names: Names },
): Promise<ReportRow[]> {
  if (group !== null) {
    if (names.size > MAX_NAMES) names.clear();
    const unknown = new Set(rows.map((row) => row.group).filter((each) => !names.has(each)));
    if (unknown.size > 0) for (const [id, name] of await nameGroups(db, group, [...unknown])) names.set(id, name);
  }
  return rows.map((row) => Object.assign(row, { start: startOf(row), name: names.get(row.group) ?? null }));
}

/** The first rows of a report and the sum of all of them. */
export async function readResult(db: Reads, question: ReportQuestion, most: number) {
  const { scope, window } = question;
  const rows: ReportRow[] = [];
  for await (const page of reportRows(db, question)) {
    rows.push(...page);
    if (rows.length > most) break;
  }
  const total = sumOfUsage(await usageTotals(db, scope, { from: window.from, to: window.to }));
  return { rows: rows.slice(0, most), isCut: rows.length > most, total };
}

/** The columns that tell the rows apart, as files and answers name them. */
function dimensionsOf({ group, interval }: ReportQuestion): string[] {
  return [...(interval === "total" ? [] : ["start"]), ...(group === null ? [] : [group, "name"])];
}

/** The header of a report's file. */
export const headerOf = (question: ReportQuestion): string[] => [...dimensionsOf(question), ...question.measures];

/** A row of a report as a line of its file. */
export function lineOf(question: ReportQuestion, row: ReportRow): CsvCell[] {
  const cells: CsvCell[] = [];
  if (question.interval !== "total") cells.push(row.start);
  if (question.group !== null) cells.push(row.group, row.name);
  for (const name of question.measures) {
    const value = counterAnswer(row, name);
    cells.push(typeof value === "bigint" ? formatUsd(value) : value);
  }
  return cells;
}

/** A row of a report as programs get it; amounts in US dollars. */
export function rowAnswer(question: ReportQuestion, row: ReportRow): Record<string, unknown> {
  const answer: Record<string, unknown> = {};
  if (question.interval !== "total") answer.start = row.start;
  if (question.group !== null) Object.assign(answer, { [question.group]: row.group, name: row.name });
  return Object.assign(answer, measuresAnswer(question, row));
}

/** The measures that a question wants, of a row or of a sum. */
export function measuresAnswer({ measures }: ReportQuestion, of: UsageCounters): Record<string, unknown> {
  const answer: Record<string, unknown> = {};
  for (const name of measures) answer[name] = counterAnswer(of, name);
  return answer;
}
