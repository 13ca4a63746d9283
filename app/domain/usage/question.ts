import type { Db } from "~/connection/db.server";
import { readPreferences } from "~/domain/accounts/index.server";
import { type Actor, scopeOf, type Viewpoint } from "~/domain/accounts/shared";
import { startOfDay } from "~/values/calendar-days";
import { timeZoneNamed, windowOf } from "~/values/time-range";
import { unreachable } from "~/values/unreachable";
import {
  USAGE_GROUPS,
  type UsageFilter,
  type UsageGroup,
  type UsageQuestion,
  type UsageScope,
  type UsageWindow,
} from "./shared";

const DAY_MS = 86_400_000;
/** Spans of fewer than this many days have hourly buckets. */
const HOURLY_DAYS = 2;

/** Returns the usage that an actor may see, by their role and chosen view. */
export function usageScopeOf(actor: Viewpoint): UsageScope {
  const scope = scopeOf(actor);
  switch (scope.kind) {
    case "everything":
      return { organisationId: null };
    case "organisation":
      return { organisationId: scope.organisationId };
    case "department":
      return { organisationId: scope.organisationId, departmentIds: [scope.departmentId] };
    case "own":
      return { organisationId: scope.organisationId, userIds: [scope.userId] };
    default:
      return unreachable(scope);
  }
}

/** Returns the question of a query within a scope. */
export async function questionOf(
  db: Db,
  actor: Actor,
  asked: { scope: UsageScope; query: UsageFilter & { tz?: "utc" | "local"; group?: UsageGroup } },
): Promise<UsageQuestion> {
  const { scope, query } = asked;
  const { timeZone } = await readPreferences(db, actor);
  const zone = timeZone === null ? null : timeZoneNamed(timeZone);
  const window = windowFor(query, query.tz === "local" && zone !== null ? zone : "UTC", new Date());
  const groups = groupsOf(scope);
  const group = query.group !== undefined && groups.includes(query.group) ? query.group : "model";
  return { scope: narrowed(scope, query), window, group, zone };
}

/** Returns the dimensions for a scope, without those in which it has only one value. */
export function groupsOf(scope: UsageScope): UsageGroup[] {
  return USAGE_GROUPS.filter(
    (group) =>
      !(group === "organisation" && scope.organisationId !== null) &&
      !(group === "user" && scope.userIds !== undefined) &&
      !(group === "department" && (scope.departmentIds !== undefined || scope.userIds !== undefined)),
  );
}

/** Returns the window of a query in a time zone, and the preceding window of the same length. */
export function windowFor(query: UsageFilter, timeZone: string, now: Date): UsageWindow {
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

/** Whole days from one date to another. */
export const daysBetween = (since: string, until: string): number =>
  Math.round((Date.parse(`${until}T00:00Z`) - Date.parse(`${since}T00:00Z`)) / DAY_MS);

/** Start of the day `daysAfter` days after a date in a time zone. */
function midnightOf(date: string, timeZone: string, daysAfter: number): Date {
  const noon = new Date(Date.parse(`${date}T12:00Z`));
  // UTC noon is another date in zones with an offset beyond twelve hours.
  const shown = new Intl.DateTimeFormat("sv-SE", { timeZone }).format(noon);
  return startOfDay(noon, timeZone, daysBetween(date, shown) - daysAfter);
}

/** Narrows a scope by the filters of a query; filters never widen it. */
export function narrowed(scope: UsageScope, query: UsageFilter): UsageScope {
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

function ids(name: IdList, allowed: readonly number[] | undefined, requested: number | undefined): Partial<UsageScope> {
  if (requested === undefined) return {};
  return { [name]: allowed === undefined || allowed.includes(requested) ? [requested] : [] };
}
