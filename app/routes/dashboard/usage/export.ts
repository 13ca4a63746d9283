import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db, plainReads } from "~/connection/db.server";
import {
  countersAnswer,
  nameGroups,
  rejectionsByGroup,
  usageBuckets,
  usageScopeOf,
  usageSeries,
} from "~/domain/usage/index.server";
import type { GroupRejections, UsagePoint } from "~/domain/usage/shared";
import { csvResponse } from "~/http/body/csv";
import type { CsvCell } from "~/values/csv";
import { formatUsd } from "~/values/money";
import { UsageQuery } from "./query.server";
import { questionOf, type UsageQuestion } from "./view.server";

/** Maximum number of buckets per read; fewer if they have more lines than `LINES_AT_ONCE`. */
const MAX_BUCKETS_AT_ONCE = 24;
const LINES_AT_ONCE = 500;

const usage = portalEndpoint({
  query: UsageQuery,
  allow: "viewer",
  GET: async ({ actor, query }) => {
    const question = await questionOf(db(), actor, { scope: usageScopeOf(actor), query });
    const counters = Object.keys(countersAnswer(null));
    return csvResponse(
      "usage.csv",
      ["start", "time_zone", question.group, "name", ...counters, "rejections"],
      linesOf(question),
    );
  },
});

async function* linesOf({ scope, window, group }: UsageQuestion): AsyncGenerator<CsvCell[][], void, undefined> {
  const reads = plainReads();
  const buckets = await usageBuckets(reads, window);
  for (let first = 0, count = 1; first < buckets.length; ) {
    const start = buckets[first] as Date;
    const from = start < window.from ? window.from : start;
    const to = buckets[first + count] ?? window.to;
    const [{ points }, rejected] = await Promise.all([
      usageSeries(reads, scope, { ...window, from, to, groupBy: group }),
      rejectionsByGroup(reads, scope, { ...window, from, to, groupBy: group }),
    ]);
    const lines = withRejections(points, rejected);
    first += count;
    const wanted = Math.floor((count * LINES_AT_ONCE) / Math.max(lines.length, 1));
    count = Math.min(Math.max(wanted, 1), MAX_BUCKETS_AT_ONCE);
    const names = await nameGroups(reads, group, [...new Set(lines.map((line) => line.group))]);
    yield lines.map(({ bucket, group: id, point, rejections }) => {
      const { charged_usd, ...counters } = countersAnswer(point);
      const cells = { ...counters, charged_usd: formatUsd(charged_usd) };
      return [
        ...[bucket, window.timeZone, id, names.get(id) ?? null],
        ...Object.keys(countersAnswer(null)).map((name) => cells[name as keyof typeof cells]),
        rejections,
      ];
    });
  }
}

type Line = Pick<UsagePoint, "bucket" | "group"> & { point: UsagePoint | null; rejections: number | null };

/** Returns a line for each group with requests or rejections in a bucket, in order of time. */
function withRejections(points: readonly UsagePoint[], rejected: readonly GroupRejections[] | null): Line[] {
  const placeOf = ({ bucket, group }: Pick<UsagePoint, "bucket" | "group">) => `${bucket.getTime()} ${group}`;
  const left = new Map((rejected ?? []).map((each) => [placeOf(each), each]));
  const lines = points.map((point): Line => {
    const place = placeOf(point);
    const rejections = rejected === null ? null : (left.get(place)?.rejections ?? 0);
    left.delete(place);
    return { bucket: point.bucket, group: point.group, point, rejections };
  });
  const others = [...left.values()].map((each): Line => ({ ...each, point: null }));
  return [...lines, ...others].toSorted((a, b) => a.bucket.getTime() - b.bucket.getTime());
}

export const loader = usage;
export const action = usage;
