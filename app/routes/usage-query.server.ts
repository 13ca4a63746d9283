import { z } from "zod";
import { daysBetween } from "~/domain/usage/index.server";
import { USAGE_GROUPS, USAGE_METRICS } from "~/domain/usage/shared";
import { issue } from "~/errors/message";
import { Id, orNothing } from "~/http/body/fields";
import { RANGES } from "~/values/time-range";

const MAX_DAYS = 366;

const Name = orNothing(z.string().max(200));
/** A date from 2000 to 2199, whose year has four digits in every format. */
const Day = orNothing(z.iso.date().refine((day) => day >= "2000-01-01" && day < "2200-01-01", issue("problems:day")));

/** Query fields for the filters and the period. */
export const usageFields = {
  range: orNothing(z.enum([...RANGES, "custom"])),
  since: Day,
  until: Day,
  tz: orNothing(z.enum(["utc", "local"])),
  group: orNothing(z.enum(USAGE_GROUPS)),
  metric: orNothing(z.enum(USAGE_METRICS)),
  model: Name,
  supplier: Name,
  region: Name,
  key: orNothing(Id),
  user: orNothing(Id),
  department: orNothing(Id),
  project: orNothing(Id),
  organisation: orNothing(Id),
};

/** Validates that the days are in order and not too far apart. */
export const SPAN: [
  check: (days: { since?: string; until?: string }) => boolean,
  refusal: { error: string; path: string[] },
] = [
  ({ since, until }) =>
    since === undefined || until === undefined || (since <= until && daysBetween(since, until) < MAX_DAYS),
  { error: issue("usage:problem.span", { days: MAX_DAYS }), path: ["until"] },
];

/**
 * The query of usage. `since` and `until` are inclusive days in the reader's time zone. If one is missing, it equals
 * the other, and `range` is ignored.
 */
export const UsageQuery = z.object(usageFields).refine(...SPAN);

/** The query of the page; `groups`: whether the table shows the maximum number of groups. */
export const UsagePageQuery = z.object({ ...usageFields, groups: orNothing(z.enum(["all"])) }).refine(...SPAN);

/** The same for one person, chosen by an administrator. */
export const PersonUsageQuery = z.object({ ...usageFields, user_id: Id }).refine(...SPAN);
