import { portalEndpoint } from "~/access/portal/endpoint.server";
import type { CsvCell } from "~/csv";
import { db } from "~/db.server";
import {
  countersAnswer,
  nameGroups,
  rejectionsByGroup,
  usageScopeOf,
  usageSeries,
} from "~/domain/metering/index.server";
import type { GroupRejections, UsagePoint } from "~/domain/metering/shared";
import { csvResponse } from "~/http/csv";
import { formatUsd } from "~/money";
import { UsageQuery } from "./query.server";
import { questionOf, type UsageQuestion } from "./view.server";

/** So many stretches of time are read at once. */
const BUCKETS_AT_ONCE = 24;

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
  const { buckets } = await usageSeries(db(), { ...scope, keyIds: [] }, { ...window, groupBy: null });
  for (let first = 0; first < buckets.length; first += BUCKETS_AT_ONCE) {
    const start = buckets[first] as Date;
    const from = start < window.from ? window.from : start;
    const to = buckets[first + BUCKETS_AT_ONCE] ?? window.to;
    const [{ points }, rejected] = await Promise.all([
      usageSeries(db(), scope, { ...window, from, to, groupBy: group }),
      rejectionsByGroup(db(), scope, { ...window, from, to, groupBy: group }),
    ]);
    const lines = withRejections(points, rejected);
    const names = await nameGroups(db(), group, [...new Set(lines.map((line) => line.group))]);
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

/** A line for each group that had requests or rejections in a stretch of time, in the order of time. */
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
