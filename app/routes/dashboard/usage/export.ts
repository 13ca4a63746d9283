import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db, plainReads } from "~/connection/db.server";
import {
  countersAnswer,
  inStretches,
  nameGroups,
  questionOf,
  rejectionsByGroup,
  usageScopeOf,
  usageSeries,
} from "~/domain/usage/index.server";
import type { GroupRejections, UsagePoint, UsageQuestion } from "~/domain/usage/shared";
import { csvResponse } from "~/http/body/csv";
import type { CsvCell } from "~/values/csv";
import { formatUsd } from "~/values/money";
import { UsageQuery } from "../../usage-query.server";

/** Lines of one read, about. */
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
  async function* read(stretch: { from: Date; to: Date }) {
    const asked = { ...window, ...stretch, groupBy: group };
    const [{ points }, rejected] = await Promise.all([
      usageSeries(reads, scope, asked),
      rejectionsByGroup(reads, scope, asked),
    ]);
    yield withRejections(points, rejected);
  }
  for await (const lines of inStretches(reads, { ...window, rowsAtOnce: LINES_AT_ONCE }, read)) {
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
  const unmatched = new Map((rejected ?? []).map((each) => [placeOf(each), each]));
  const lines = points.map((point): Line => {
    const place = placeOf(point);
    const rejections = rejected === null ? null : (unmatched.get(place)?.rejections ?? 0);
    unmatched.delete(place);
    return { bucket: point.bucket, group: point.group, point, rejections };
  });
  const others = [...unmatched.values()].map((each): Line => ({ ...each, point: null }));
  return [...lines, ...others].toSorted((a, b) => a.bucket.getTime() - b.bucket.getTime());
}

export const loader = usage;
export const action = usage;
