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

/** Sums with the names that they have in files and answers. */
export function countersAnswer(counters: UsageCounters | null) {
  return {
    requests: counters?.requests ?? 0,
    errors: counters?.errors ?? 0,
    failovers: counters?.failovers ?? 0,
    input_tokens: Number(counters?.inputTokens ?? 0n),
    cached_input_tokens: Number(counters?.cachedInputTokens ?? 0n),
    cache_write_tokens: Number(counters?.cacheWriteTokens ?? 0n),
    output_tokens: Number(counters?.outputTokens ?? 0n),
    reasoning_tokens: Number(counters?.reasoningTokens ?? 0n),
    charged_usd: counters?.chargedNanoUsd ?? 0n,
    average_latency_ms: average(counters?.latencyMs, counters?.requests),
    average_first_byte_ms: average(counters?.firstByteMs, counters?.firstBytes),
  };
}

const average = (total: bigint | undefined, count: number | undefined): number | null =>
  total === undefined || !count ? null : Math.round(Number(total) / count);
