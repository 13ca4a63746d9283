import { countersAnswer } from "~/domain/metering/index.server";
import type { UsageCounters, UsagePoint } from "~/domain/metering/shared";
import type { UsageQuestion, UsageView } from "./view.server";

/** Usage for programs. Amounts are US dollars, exact; moments are ISO 8601; averages are null where there is nothing to average. */
export function usageAnswer({ window, group }: UsageQuestion, view: UsageView) {
  return {
    from: window.from,
    to: window.to,
    time_zone: window.timeZone,
    bucket: window.bucket,
    group_by: group,
    total: countersAnswer(view.total),
    before: { from: window.before.from, to: window.before.to, ...countersAnswer(view.before) },
    bins: view.buckets.map((start) => ({ start, ...countersAnswer(at(start, view.bins)) })),
    groups: view.groups.map(({ group: id, name, ...counters }) => ({ id, name, ...countersAnswer(counters) })),
    other_groups: view.rest === null ? null : { count: view.rest.count, ...countersAnswer(view.rest) },
    series: view.charted.map(({ group: id, name, points }) => ({
      id,
      name,
      bins: view.buckets.map((start) => ({ start, ...countersAnswer(at(start, points)) })),
    })),
  };
}

const at = (start: Date, points: readonly UsagePoint[]): UsageCounters | null =>
  points.find(({ bucket }) => bucket.getTime() === start.getTime()) ?? null;
