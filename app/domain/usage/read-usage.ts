import type { Db } from "~/connection/db.server";
import { catalogue } from "~/domain/catalogue/index.server";
import { sumOfUsage, sumsByBucket, sumsByGroup } from "./counters";
import { nameGroups } from "./names-store";
import { countRejections, rejectedOf, rejectionsByGroup } from "./rejection-counts";
import type {
  GroupRejections,
  GroupUsage,
  UsageGroup,
  UsagePoint,
  UsageQuestion,
  UsageScope,
  UsageTotal,
  UsageWindow,
} from "./shared";
import { usageSeries, usageTotals } from "./usage";

/** Maximum number of groups with their own line; the rest is summed in one line. */
export const MAX_GROUPS = 100;
/** Number of groups with their own colour in the chart. */
const CHARTED = 5;

/** Returns the sums of a window and of the previous one, by group and over time. All are sums of the same numbers. */
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
    /** All groups together, per bucket. */
    bins: series.points,
    total: sumOfUsage(series.points),
    before: sumOfUsage(previous),
    groups: named.slice(0, listed),
    /** The sum of the groups that are not listed; null: there are none. */
    rest: rest.length === 0 ? null : { count: rest.length, ...sumOfUsage(rest), rejections: sumOfRejections(rest) },
    /** Null: rejections are not counted with such a filter. */
    rejected: rejections === null ? null : rejectedOf(series.buckets, from, rejections),
    /** The groups with the highest cost over time. */
    charted: charted.map(({ group: id }) => ({
      group: id,
      name: names.get(id) ?? null,
      points: points.filter((point) => point.group === id),
    })),
  };
}

export type UsageView = Awaited<ReturnType<typeof readUsage>>;

/** Maximum number of points by bucket and group up to which one query replaces separate ones. */
const FEW_POINTS = 2_000;

/**
 * Returns the sums of all groups by bucket, and of each group over the window. If there are few groups, also the sums
 * by bucket and group.
 */
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
/** Dimensions with about as many groups as the catalogue has models, or fewer. */
const GROUPS_OF_THE_CATALOGUE: ReadonlySet<UsageGroup> = new Set(["model", "supplier", "region"]);

/** Adds rejections to the groups; groups with rejections only come last. */
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

/** Returns the groups with the highest cost over time. If there are many others, the database sums only these. */
function chartedPoints(
  db: Db,
  scope: UsageScope,
  query: { window: UsageWindow; group: UsageGroup; charted: readonly UsageTotal[]; few: boolean },
): Promise<UsagePoint[]> {
  const only = query.few ? {} : onlyThese(query.group, query.charted);
  return usageSeries(db, { ...scope, ...only }, { ...query.window, groupBy: query.group }).then(({ points }) => points);
}

function onlyThese(group: UsageGroup, totals: readonly UsageTotal[]): Partial<UsageScope> {
  // A group without an id cannot be selected by id.
  if (totals.some(({ group: id }) => id === null)) return {};
  const groupIds = totals.map(({ group: id }) => id);
  return { [`${group}${group === "model" || group === "supplier" || group === "region" ? "s" : "Ids"}`]: groupIds };
}
