import { portalEndpoint } from "~/access/portal/endpoint.server";
import type { CsvCell } from "~/csv";
import { db } from "~/db.server";
import { countersAnswer, nameGroups, usageScopeOf, usageSeries } from "~/domain/metering/index.server";
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
    return csvResponse("usage.csv", ["start", "time_zone", question.group, "name", ...counters], linesOf(question));
  },
});

async function* linesOf({ scope, window, group }: UsageQuestion): AsyncGenerator<CsvCell[][], void, undefined> {
  const { buckets } = await usageSeries(db(), { ...scope, keyIds: [] }, { ...window, groupBy: null });
  for (let first = 0; first < buckets.length; first += BUCKETS_AT_ONCE) {
    const start = buckets[first] as Date;
    const from = start < window.from ? window.from : start;
    const to = buckets[first + BUCKETS_AT_ONCE] ?? window.to;
    const { points } = await usageSeries(db(), scope, { ...window, from, to, groupBy: group });
    const names = await nameGroups(db(), group, [...new Set(points.map((point) => point.group))]);
    yield points.map((point) => {
      const { charged_usd, ...counters } = countersAnswer(point);
      const cells = { ...counters, charged_usd: formatUsd(charged_usd) };
      return [
        ...[point.bucket, window.timeZone, point.group, names.get(point.group) ?? null],
        ...Object.keys(countersAnswer(null)).map((name) => cells[name as keyof typeof cells]),
      ];
    });
  }
}

export const loader = usage;
export const action = usage;
