import { z } from "zod";
import { daysBetween } from "~/domain/metering/index.server";
import type { UsageGroup, UsageScope } from "~/domain/metering/shared";
import { issue } from "~/errors/message";
import { Id, orNothing } from "~/http/fields";
import { RANGES } from "~/time-range";
import { METRICS, USAGE_GROUPS } from "./shared";

const MAX_DAYS = 366;

const Name = orNothing(z.string().max(200));
/** A day that has four digits for its year everywhere, and that no clock of today is far from. */
const Day = orNothing(z.iso.date().refine((day) => day >= "2000-01-01" && day < "2200-01-01", issue("problems:day")));

/** The fields that say whose and which calls, and when. */
export const usageFields = {
  range: orNothing(z.enum([...RANGES, "custom"])),
  since: Day,
  until: Day,
  tz: orNothing(z.enum(["utc", "local"])),
  group: orNothing(z.enum(USAGE_GROUPS)),
  metric: orNothing(z.enum(METRICS)),
  ...{ model: Name, supplier: Name, region: Name },
  ...{ key: orNothing(Id), user: orNothing(Id), department: orNothing(Id), project: orNothing(Id) },
  organisation: orNothing(Id),
};

/** Refines a query whose days have to be in order, and not too far apart. */
export const SPAN: [
  check: (days: { since?: string; until?: string }) => boolean,
  refusal: { error: string; path: string[] },
] = [
  ({ since, until }) =>
    since === undefined || until === undefined || (since <= until && daysBetween(since, until) < MAX_DAYS),
  { error: issue("usage:problem.span", { days: MAX_DAYS }), path: ["until"] },
];

/**
 * What of usage is wanted. `since` and `until` are days where the reader's clock is, both counted; with one of them the other
 * is the same day, and `range` is not needed.
 */
export const UsageQuery = z.object(usageFields).refine(...SPAN);
export type UsageQueryValues = z.output<typeof UsageQuery>;

/** The page's own: whether its table has as many groups as there may be. */
export const UsagePageQuery = z.object({ ...usageFields, groups: orNothing(z.enum(["all"])) }).refine(...SPAN);

/** The same of one person, whom an administrator names. */
export const PersonUsageQuery = z.object({ ...usageFields, user_id: Id }).refine(...SPAN);

/** What an actor can tell usage apart by: what all of theirs has in common is left out. */
export function groupsOf(scope: UsageScope): UsageGroup[] {
  return USAGE_GROUPS.filter(
    (group) =>
      !(group === "organisation" && scope.organisationId !== null) &&
      !(group === "user" && scope.userIds !== undefined) &&
      !(group === "department" && (scope.departmentIds !== undefined || scope.userIds !== undefined)),
  );
}
