import { z } from "zod";
import { startOfDay } from "~/calendar-days";
import type { UsageGroup, UsageScope } from "~/domain/metering/shared";
import { issue } from "~/errors/message";
import { Id, orNothing } from "~/http/fields";
import { RANGES, windowOf } from "../overview/range";
import { METRICS, USAGE_GROUPS } from "./shared";

const DAY_MS = 86_400_000;
const MAX_DAYS = 366;
/** Up to so many days are shown by the hour. */
const HOURLY_DAYS = 2;

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

/** The same of one person, whom an administrator names. */
export const PersonUsageQuery = z.object({ ...usageFields, user_id: Id }).refine(...SPAN);

export type UsageWindow = ReturnType<typeof windowOf> & { range: (typeof RANGES)[number] | "custom" };

/** The window that a query asks for, in a time zone; and the one of the same length before it. */
export function windowFor(query: UsageQueryValues, timeZone: string, now: Date): UsageWindow {
  const first = query.since ?? query.until;
  if (first === undefined) {
    const range = query.range === undefined || query.range === "custom" ? "30d" : query.range;
    return { range, ...windowOf(range, timeZone, now) };
  }
  const last = query.until ?? first;
  const from = midnightOf(first, timeZone, 0);
  const to = midnightOf(last, timeZone, 1);
  return {
    range: "custom",
    from,
    to,
    bucket: daysBetween(first, last) < HOURLY_DAYS ? "hour" : "day",
    timeZone,
    before: { from: midnightOf(first, timeZone, -1 - daysBetween(first, last)), to: from },
  };
}

const daysBetween = (since: string, until: string): number =>
  Math.round((Date.parse(`${until}T00:00Z`) - Date.parse(`${since}T00:00Z`)) / DAY_MS);

/** The beginning of a day so many days after a date, where the clocks of a time zone show it. */
function midnightOf(date: string, timeZone: string, daysAfter: number): Date {
  const noon = new Date(Date.parse(`${date}T12:00Z`));
  // Noon of UTC is another date in zones beyond twelve hours: the day is looked for from there.
  const shown = new Intl.DateTimeFormat("sv-SE", { timeZone }).format(noon);
  return startOfDay(noon, timeZone, daysBetween(date, shown) - daysAfter);
}

/** A scope narrowed to what a query filters by; what lies outside the scope stays outside. */
export function narrowed(scope: UsageScope, query: UsageQueryValues): UsageScope {
  return {
    ...scope,
    ...ids("organisationIds", scope.organisationIds, query.organisation),
    ...ids("keyIds", scope.keyIds, query.key),
    ...ids("userIds", scope.userIds, query.user),
    ...ids("departmentIds", scope.departmentIds, query.department),
    ...ids("projectIds", scope.projectIds, query.project),
    ...(query.model === undefined ? {} : { models: [query.model] }),
    ...(query.supplier === undefined ? {} : { suppliers: [query.supplier] }),
    ...(query.region === undefined ? {} : { regions: [query.region] }),
  };
}

type IdList = "organisationIds" | "keyIds" | "userIds" | "departmentIds" | "projectIds";

function ids(name: IdList, allowed: readonly number[] | undefined, wanted: number | undefined): Partial<UsageScope> {
  if (wanted === undefined) return {};
  return { [name]: allowed === undefined || allowed.includes(wanted) ? [wanted] : [] };
}

/** What an actor can tell usage apart by: what all of theirs has in common is left out. */
export function groupsOf(scope: UsageScope): UsageGroup[] {
  return USAGE_GROUPS.filter(
    (group) =>
      !(group === "organisation" && scope.organisationId !== null) &&
      !(group === "user" && scope.userIds !== undefined) &&
      !(group === "department" && (scope.departmentIds !== undefined || scope.userIds !== undefined)),
  );
}
