import type { Db } from "~/connection/db.server";
import { countRejections, rejectedOf, usageSeries, usageTotals } from "~/domain/usage/index.server";
import type { Rejected, Stat, UsageCounters, UsagePoint, UsageScope, UsageTotal } from "~/domain/usage/shared";
import type { Window } from "~/values/time-range";

export type OverviewUsage = {
  buckets: Date[];
  figures: Record<"spend" | "requests" | "errors" | "tokens" | "latency", Stat>;
  /** Highest cost first; amounts in nano-USD as numbers, which are exact up to nine million dollars. */
  models: { model: string; requests: number; errors: number; spendNanoUsd: bigint; tokens: number; line: bigint[] }[];
  keys: { keyId: number; requests: number; errors: number; spendNanoUsd: bigint }[];
  totalNanoUsd: bigint;
  rejected: Rejected;
};

/** Returns all sums over requests for the overview, with four database queries. */
export async function readOverviewUsage(
  db: Db,
  scope: UsageScope,
  window: Window & { before: { from: Date; to: Date } },
): Promise<OverviewUsage> {
  const { from, to, before } = window;
  const [{ buckets, points }, previous, keys, rejections] = await Promise.all([
    usageSeries(db, scope, { ...window, groupBy: "model" }),
    usageTotals(db, scope, before),
    usageTotals(db, scope, { from, to, groupBy: "key" }),
    countRejections(db, scope, { ...window, from: before.from }),
  ]);
  const perBucket = buckets.map((bucket) => sum(points.filter((point) => point.bucket.getTime() === bucket.getTime())));
  const now = sum(points);
  const past = sum(previous);
  const figure = (value: (counters: Sums) => number): Stat => ({
    now: value(now),
    before: value(past),
    line: perBucket.map(value),
  });
  return {
    buckets,
    figures: {
      spend: figure(({ charged }) => Number(charged) / 1e9),
      requests: figure(({ requests }) => requests),
      errors: figure(({ errors, requests }) => (requests === 0 ? 0 : errors / requests)),
      tokens: figure(({ tokens }) => tokens),
      latency: figure(({ latencyMs, requests }) => (requests === 0 ? 0 : latencyMs / requests)),
    },
    models: byModel(buckets, points),
    keys: keys.map(({ group, requests, errors, chargedNanoUsd }: UsageTotal) => ({
      keyId: Number(group),
      requests,
      errors,
      spendNanoUsd: chargedNanoUsd,
    })),
    totalNanoUsd: now.charged,
    rejected: rejectedOf(buckets, from, rejections ?? []),
  };
}

type Sums = { requests: number; errors: number; tokens: number; latencyMs: number; charged: bigint };

function sum(rows: readonly UsageCounters[]): Sums {
  const sums: Sums = { requests: 0, errors: 0, tokens: 0, latencyMs: 0, charged: 0n };
  for (const row of rows) {
    sums.requests += row.requests;
    sums.errors += row.errors;
    sums.tokens += Number(row.inputTokens + row.outputTokens);
    sums.latencyMs += Number(row.latencyMs);
    sums.charged += row.chargedNanoUsd;
  }
  return sums;
}

function byModel(buckets: readonly Date[], points: readonly UsagePoint[]): OverviewUsage["models"] {
  const places = new Map(buckets.map((bucket, index) => [bucket.getTime(), index]));
  const models = new Map<string, OverviewUsage["models"][number]>();
  for (const point of points) {
    const model = String(point.group ?? "");
    const entry = models.get(model) ?? {
      model,
      requests: 0,
      errors: 0,
      spendNanoUsd: 0n,
      tokens: 0,
      line: buckets.map(() => 0n),
    };
    models.set(model, entry);
    entry.requests += point.requests;
    entry.errors += point.errors;
    entry.spendNanoUsd += point.chargedNanoUsd;
    entry.tokens += Number(point.inputTokens + point.outputTokens);
    const index = places.get(point.bucket.getTime());
    if (index !== undefined) entry.line[index] = (entry.line[index] ?? 0n) + point.chargedNanoUsd;
  }
  return [...models.values()].toSorted((a, b) =>
    a.spendNanoUsd === b.spendNanoUsd ? b.requests - a.requests : a.spendNanoUsd < b.spendNanoUsd ? 1 : -1,
  );
}
