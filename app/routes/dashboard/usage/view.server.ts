import type { z } from "zod";
import type { Db } from "~/db.server";
import { readLastComparison } from "~/domain/billing/index.server";
import { catalogue } from "~/domain/catalogue/index.server";
import { readPreferences } from "~/domain/identity/index.server";
import { type Actor, scopeOf } from "~/domain/identity/shared";
import {
  countRejections,
  nameGroups,
  narrowed,
  rejectionsByGroup,
  sumOfUsage,
  sumsByBucket,
  sumsByGroup,
  usageScopeOf,
  usageSeries,
  usageTotals,
  windowFor,
} from "~/domain/metering/index.server";
import type {
  GroupRejections,
  UsageCounters,
  UsageGroup,
  UsagePoint,
  UsageScope,
  UsageTotal,
  UsageWindow,
} from "~/domain/metering/shared";
import { timeZoneNamed } from "~/time-range";
import { rejectedOf } from "../overview/rejected";
import { groupsOf, type UsagePageQuery, type UsageQueryValues } from "./query.server";

/** So many groups have a line of their own; the rest is summed up in one. */
const MAX_GROUPS = 100;
/** On the page, until somebody wants to see the others. */
const GROUPS_ON_PAGE = 25;
/** So many have a colour in the chart. */
export const CHARTED = 5;

/** `rejections`: requests that were refused before a supplier was called, which are no part of the others; null: nobody counts them so. */
export type GroupUsage = UsageCounters & {
  group: UsageTotal["group"];
  name: string | null;
  rejections: number | null;
};

/** The question behind a page, a file or an answer: whose usage, when, and told apart by what. */
export type UsageQuestion = { scope: UsageScope; window: UsageWindow; group: UsageGroup; zone: string | null };

/** What a query asks for, for somebody whose usage a scope bounds. */
export async function questionOf(
  db: Db,
  actor: Actor,
  asked: { scope: UsageScope; query: UsageQueryValues },
): Promise<UsageQuestion> {
  const { scope, query } = asked;
  const { timeZone } = await readPreferences(db, actor);
  const zone = timeZone === null ? null : timeZoneNamed(timeZone);
  const window = windowFor(query, query.tz === "local" && zone !== null ? zone : "UTC", new Date());
  const groups = groupsOf(scope);
  const group = query.group !== undefined && groups.includes(query.group) ? query.group : "model";
  return { scope: narrowed(scope, query), window, group, zone };
}

/** The sums of a window, those of the one before, by group and over time. The same numbers, added up in three ways. */
export async function readUsage(db: Db, { scope, window, group }: UsageQuestion, listed = MAX_GROUPS) {
  const { from, before } = window;
  const [{ series, called, ofGroups }, previous, rejections, rejectedGroups] = await Promise.all([
    readSums(db, { scope, window, group }),
    usageTotals(db, scope, before),
    countRejections(db, scope, { ...window, from: before.from }),
    rejectionsByGroup(db, scope, { ...window, bucket: null, groupBy: group }),
  ]);
  const totals = withRejections(called, rejectedGroups);
  const charted = called.slice(0, CHARTED);
  const [points, names] = await Promise.all([
    ofGroups ?? chartedPoints(db, scope, { window, group, charted, few: called.length <= CHARTED * 10 }),
    nameGroups(
      db,
      group,
      totals.slice(0, listed).map((total) => total.group),
    ),
  ]);
  const named = totals.map((total): GroupUsage => ({ ...total, name: names.get(total.group) ?? null }));
  const rest = named.slice(listed);
  return {
    buckets: series.buckets,
    /** All groups together, bucket by bucket. */
    bins: series.points,
    total: sumOfUsage(series.points),
    before: sumOfUsage(previous),
    groups: named.slice(0, listed),
    /** The groups beyond those that are listed, together; null: there are none. */
    rest: rest.length === 0 ? null : { count: rest.length, ...sumOfUsage(rest), rejections: sumOfRejections(rest) },
    /** Null: nobody counts them for such a filter. */
    rejected: rejections === null ? null : rejectedOf(series.buckets, from, rejections),
    /** The dearest groups over time. */
    charted: charted.map(({ group: id }) => ({
      group: id,
      name: names.get(id) ?? null,
      points: points.filter((point) => point.group === id),
    })),
  };
}

export type UsageView = Awaited<ReturnType<typeof readUsage>>;

/** Everything that the page of usage shows. */
export async function readUsagePage(db: Db, actor: Actor, query: z.output<typeof UsagePageQuery>) {
  const scope = usageScopeOf(actor);
  const question = await questionOf(db, actor, { scope, query });
  const listed = query.groups === "all" ? MAX_GROUPS : GROUPS_ON_PAGE;
  const [usage, compared] = await Promise.all([readUsage(db, question, listed), readLastComparison(db)]);
  return {
    /** Whether the groups that are summed up in one line can be listed. */
    hasMore: usage.rest !== null && listed < MAX_GROUPS,
    /** When the usage of everybody was last compared with the ledger; null: not yet. */
    compared,
    place: scopeOf(actor).kind,
    window: question.window,
    zone: question.zone,
    group: question.group,
    metric: query.metric ?? ("cost" as const),
    groups: groupsOf(scope),
    usage,
    /** The name of what is filtered by, where it is the only group. */
    only: usage.groups.length === 1 ? (usage.groups[0]?.name ?? null) : null,
  };
}

export type UsagePageView = Awaited<ReturnType<typeof readUsagePage>>;

/** So many sums by bucket and group are added up here rather than asked for in three ways. */
const FEW_POINTS = 2_000;

/** The sums of all groups by bucket, and of each group over the window; where the groups are few, those by bucket and group too. */
async function readSums(db: Db, { scope, window, group }: Pick<UsageQuestion, "scope" | "window" | "group">) {
  const { from, to, bucket } = window;
  const buckets = (to.getTime() - from.getTime()) / (bucket === "day" ? 24 * HOUR_MS : HOUR_MS);
  const isFew = GROUPS_OF_THE_CATALOGUE.has(group) && buckets * catalogue().models.size <= FEW_POINTS;
  if (isFew) {
    const { buckets: all, points } = await usageSeries(db, scope, { ...window, groupBy: group });
    return {
      series: { buckets: all, points: sumsByBucket(points) },
      called: sumsByGroup(points),
      ofGroups: points as UsagePoint[] | null,
    };
  }
  const [series, called] = await Promise.all([
    usageSeries(db, scope, { ...window, groupBy: null }),
    usageTotals(db, scope, { from, to, groupBy: group }),
  ]);
  return { series, called, ofGroups: null };
}

const HOUR_MS = 3_600_000;
/** Of these there are about as many as the catalogue has models, or fewer. */
const GROUPS_OF_THE_CATALOGUE: ReadonlySet<UsageGroup> = new Set(["model", "supplier", "region"]);

/** The groups with what was refused of each; those of which everything was refused come last. */
function withRejections(
  called: readonly UsageTotal[],
  rejected: readonly GroupRejections[] | null,
): (UsageTotal & { rejections: number | null })[] {
  if (rejected === null) return called.map((total) => ({ ...total, rejections: null }));
  const counts = new Map(rejected.map(({ group, rejections }) => [group, rejections]));
  const known = new Set(called.map(({ group }) => group));
  return [
    ...called.map((total) => ({ ...total, rejections: counts.get(total.group) ?? 0 })),
    ...rejected
      .filter(({ group }) => !known.has(group))
      .map(({ group, rejections }) => ({ ...sumOfUsage([]), group, rejections })),
  ];
}

const sumOfRejections = (groups: readonly GroupUsage[]): number | null =>
  groups.reduce<number | null>(
    (sum, { rejections }) => (sum === null || rejections === null ? null : sum + rejections),
    0,
  );

/** The dearest groups over time. Where there are many others, the database adds up these alone. */
function chartedPoints(
  db: Db,
  scope: UsageScope,
  ask: { window: UsageWindow; group: UsageGroup; charted: readonly UsageTotal[]; few: boolean },
): Promise<UsagePoint[]> {
  const only = ask.few ? {} : onlyThese(ask.group, ask.charted);
  return usageSeries(db, { ...scope, ...only }, { ...ask.window, groupBy: ask.group }).then(({ points }) => points);
}

function onlyThese(group: UsageGroup, totals: readonly UsageTotal[]): Partial<UsageScope> {
  // What belongs to nobody has no id to be found by.
  if (totals.some(({ group: id }) => id === null)) return {};
  const wanted = totals.map(({ group: id }) => id);
  return { [`${group}${group === "model" || group === "supplier" || group === "region" ? "s" : "Ids"}`]: wanted };
}
