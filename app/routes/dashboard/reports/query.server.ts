import { z } from "zod";
import { INTERVALS, MEASURES, type Measure } from "~/domain/reports/shared";
import { USAGE_GROUPS } from "~/domain/usage/shared";
import { apiError } from "~/errors/app-error";
import { issue } from "~/errors/message";
import { orNothing } from "~/http/body/fields";
import { timeZoneNamed } from "~/values/time-range";
import { SPAN, usageFields } from "../../usage-query.server";

const MAX_DAYS_BY_HOUR = 62;
const DAY_MS = 86_400_000;

const { tz: _tz, metric: _metric, group: _group, ...span } = usageFields;

const Flagged = orNothing(z.enum(["on", "true", "off", "false"]).transform((word) => word === "on" || word === "true"));
const MEASURE_FLAGS = Object.fromEntries(MEASURES.map((name) => [name, Flagged])) as {
  [Name in Measure]: typeof Flagged;
};

const fields = z.object({
  ...span,
  group: orNothing(z.enum([...USAGE_GROUPS, "none"])),
  interval: orNothing(z.enum(INTERVALS)),
  zone: orNothing(
    z
      .string()
      .max(64)
      .refine((name) => timeZoneNamed(name) !== null, issue("reports:problem.zone")),
  ),
  ...MEASURE_FLAGS,
});

type Fields = z.output<typeof fields>;

const hoursFit = ({ interval, since, until }: Fields): boolean =>
  interval !== "hour" ||
  since === undefined ||
  until === undefined ||
  Date.parse(until) - Date.parse(since) < MAX_DAYS_BY_HOUR * DAY_MS;

/** The question of a report: measures, filters, period and dimensions. */
export const ReportQuery = fields
  .refine(...SPAN)
  .refine(hoursFit, { error: issue("reports:problem.hours", { days: MAX_DAYS_BY_HOUR }), path: ["interval"] });
export type ReportQueryValues = z.output<typeof ReportQuery>;

/** Returns the non-empty parameters of a question in a fixed order. @throws AppError invalid_request */
export function canonicalQuestion(text: string): string {
  const parameters = new URLSearchParams(text);
  const fieldsInUrl = Object.keys(fields.shape).flatMap((name) => {
    const value = parameters.get(name);
    return value === null || value === "" ? [] : [[name, value] as [string, string]];
  });
  const question = new URLSearchParams(fieldsInUrl).toString();
  readQuestion(question);
  return question;
}

/** Returns the values of a saved question. @throws AppError invalid_request if it is not valid */
export function readQuestion(question: string): ReportQueryValues {
  const read = ReportQuery.safeParse(Object.fromEntries(new URLSearchParams(question)));
  if (!read.success) throw apiError("invalid_request", { key: "rejections:reportQuestion", param: "question" });
  return read.data;
}
