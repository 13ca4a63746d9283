import type { Reads } from "~/connection/db.server";
import type { Viewpoint } from "~/domain/accounts/shared";
import {
  counterAnswer,
  inStretches,
  nameGroups,
  narrowed,
  sumOfUsage,
  usagePages,
  usageScopeOf,
  usageTotals,
  windowFor,
} from "~/domain/usage/index.server";
import type { UsageCounters, UsageGroup, UsageScope, UsageTotal, UsageWindow } from "~/domain/usage/shared";
import type { CsvCell } from "~/values/csv";
import { formatUsd } from "~/values/money";
import { timeZoneNamed } from "~/values/time-range";
import { type Interval, MEASURES, type Measure, type ReportRequest, USUAL_MEASURES } from "./shared";

/** Rows of one query, about. */
const POINTS_AT_ONCE = 1_000;
/** Rows of one page from a snapshot. Small pages die in the young generation, so they need no full garbage collection. */
const ROWS_AT_ONCE = 50;
/** Maximum names cached while a report is read. */
const MAX_NAMES = 10_000;
/** Rows of one page of totals. Long, because the database computes the sums again for each page. */
const TOTALS_AT_ONCE = 10_000;

/** A report's question, resolved for a reader: scope and time span. */
export type ReportQuestion = {
  scope: UsageScope;
  window: UsageWindow;
  group: UsageGroup | null;
  interval: Interval;
  measures: readonly Measure[];
};

/** `start` is null for a row over the whole span; `group` as in usage. */
export type ReportRow = UsageCounters & { start: Date | null; group: UsageTotal["group"]; name: string | null };

/** Resolves a question for an actor at a time. A report shows exactly the data of the actor's usage page. */
export function askedBy(actor: Viewpoint, query: ReportRequest, now: Date): ReportQuestion {
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

/** Yields the rows of a report lazily: by time, or highest cost first for a single span. */
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
  const span = { ...window, bucket: interval };
  const names: Names = new Map();
  const read = (stretch: { from: Date; to: Date }) =>
    usagePages(db, scope, { ...span, ...stretch, groupBy: group, rowsAtOnce: ROWS_AT_ONCE });
  for await (const rows of inStretches(db, { ...span, rowsAtOnce: POINTS_AT_ONCE }, read))
    yield withNames(db, group, { rows, startOf: ({ bucket }) => bucket, names });
}

/** Progress of a report in percent, by the start of a row; 0 if rows are not by time. */
export function progressOf({ window }: ReportQuestion, { start }: ReportRow): number {
  if (start === null) return 0;
  const share = (start.getTime() - window.from.getTime()) / (window.to.getTime() - window.from.getTime());
  return Math.min(Math.max(Math.round(100 * share), 0), 100);
}

type Names = Map<string | number | null, string>;

/** Adds names to the rows in place, because copying a million rows would be slow. Looks up names that `names` lacks. */
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

/** Returns the first rows of a report and the sum of all rows. */
export async function readResult(db: Reads, question: ReportQuestion, limit: number) {
  const { scope, window } = question;
  const rows: ReportRow[] = [];
  for await (const page of reportRows(db, question)) {
    rows.push(...page);
    if (rows.length > limit) break;
  }
  const total = sumOfUsage(await usageTotals(db, scope, { from: window.from, to: window.to }));
  return { rows: rows.slice(0, limit), isCut: rows.length > limit, total };
}

/** Names of the grouping columns in files and answers. */
function dimensionsOf({ group, interval }: ReportQuestion): string[] {
  return [...(interval === "total" ? [] : ["start"]), ...(group === null ? [] : [group, "name"])];
}

/** The header of a report's file. */
export const headerOf = (question: ReportQuestion): string[] => [...dimensionsOf(question), ...question.measures];

/** Formats a row as a line of a report's file. */
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

/** Formats a row for the API; amounts in US dollars. */
export function rowAnswer(question: ReportQuestion, row: ReportRow): Record<string, unknown> {
  const answer: Record<string, unknown> = {};
  if (question.interval !== "total") answer.start = row.start;
  if (question.group !== null) Object.assign(answer, { [question.group]: row.group, name: row.name });
  return Object.assign(answer, measuresAnswer(question, row));
}

/** The requested measures of a row or a sum. */
export function measuresAnswer({ measures }: ReportQuestion, of: UsageCounters): Record<string, unknown> {
  const answer: Record<string, unknown> = {};
  for (const name of measures) answer[name] = counterAnswer(of, name);
  return answer;
}
