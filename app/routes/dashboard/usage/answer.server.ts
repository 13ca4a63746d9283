import { countersAnswer } from "~/domain/metering/index.server";
import type { UsageCounters, UsagePoint } from "~/domain/metering/shared";
import type { UsageQuestion, UsageView } from "./view.server";

/**
 * Usage for programs. Amounts are US dollars, exact; moments are ISO 8601; averages are null where there is nothing to average.
 * `rejections` were refused before a supplier was called and are no part of `requests`; null: nobody counts them so.
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
      ...{ from: window.before.from, to: window.before.to },
      ...{ ...countersAnswer(view.before), rejections: view.rejected?.before ?? null },
    },
    bins: view.buckets.map((start, place) => ({
      ...{ start, ...countersAnswer(at(start, view.bins)) },
      rejections: view.rejected?.line[place] ?? null,
    })),
    groups: view.groups.map(({ group: id, name, rejections, ...counters }) => ({
      ...{ id, name, ...countersAnswer(counters), rejections },
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
