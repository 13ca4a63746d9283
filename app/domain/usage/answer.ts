import { countersAnswer } from "./counters";
import type { UsageView } from "./read-usage";
import type { UsageCounters, UsagePoint, UsageQuestion } from "./shared";

/**
 * Converts usage for programs. Amounts are exact US dollars, times are ISO 8601, averages of nothing are null.
 * `rejections` happened before a supplier was called and are not part of `requests`; null: not counted with such a
 * filter.
 */
export function usageAnswer({ window, group }: UsageQuestion, view: UsageView) {
  return {
    from: window.from,
    to: window.to,
    time_zone: window.timeZone,
    bucket: window.bucket,
    group_by: group,
    total: { ...countersAnswer(view.total), rejections: view.rejected?.now ?? null },
    before: {
      from: window.before.from,
      to: window.before.to,
      ...countersAnswer(view.before),
      rejections: view.rejected?.before ?? null,
    },
    bins: view.buckets.map((start, index) => ({
      start,
      ...countersAnswer(at(start, view.bins)),
      rejections: view.rejected?.line[index] ?? null,
    })),
    groups: view.groups.map(({ group: id, name, rejections, ...counters }) => ({
      id,
      name,
      ...countersAnswer(counters),
      rejections,
    })),
    other_groups:
      view.rest === null
        ? null
        : { count: view.rest.count, ...countersAnswer(view.rest), rejections: view.rest.rejections },
    rejection_codes: view.rejected?.codes.map(({ code, rejections }) => ({ code, rejections })) ?? null,
    series: view.charted.map(({ group: id, name, points }) => ({
      id,
      name,
      bins: view.buckets.map((start) => ({ start, ...countersAnswer(at(start, points)) })),
    })),
  };
}

const at = (start: Date, points: readonly UsagePoint[]): UsageCounters | null =>
  points.find(({ bucket }) => bucket.getTime() === start.getTime()) ?? null;
