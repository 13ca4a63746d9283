import { startOfDay } from "~/calendar-days";
import { scopeOf, type Viewpoint } from "~/domain/identity/shared";
import { windowOf } from "~/time-range";
import { unreachable } from "~/unreachable";
import type { UsageFilter, UsageScope, UsageWindow } from "./shared";

const DAY_MS = 86_400_000;
/** Up to so many days are shown by the hour. */
const HOURLY_DAYS = 2;

/** Whose usage an actor sees: what their role and the view that they have chosen reach. */
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

/** The window that a query asks for, in a time zone; and the one of the same length before it. */
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

/** The beginning of a day so many days after a date, where the clocks of a time zone show it. */
function midnightOf(date: string, timeZone: string, daysAfter: number): Date {
  const noon = new Date(Date.parse(`${date}T12:00Z`));
  // Noon of UTC is another date in zones beyond twelve hours: the day is looked for from there.
  const shown = new Intl.DateTimeFormat("sv-SE", { timeZone }).format(noon);
  return startOfDay(noon, timeZone, daysBetween(date, shown) - daysAfter);
}

/** A scope narrowed to what a query filters by; what lies outside the scope stays outside. */
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

function ids(name: IdList, allowed: readonly number[] | undefined, wanted: number | undefined): Partial<UsageScope> {
  if (wanted === undefined) return {};
  return { [name]: allowed === undefined || allowed.includes(wanted) ? [wanted] : [] };
}
