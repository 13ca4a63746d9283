import type { UsageCounters } from "./shared";

const NOTHING: UsageCounters = {
  requests: 0,
  errors: 0,
  failovers: 0,
  routed: 0,
  inputTokens: 0n,
  cachedInputTokens: 0n,
  cacheWriteTokens: 0n,
  outputTokens: 0n,
  reasoningTokens: 0n,
  costNanoUsd: 0n,
  chargedNanoUsd: 0n,
  savedNanoUsd: 0n,
  latencyMs: 0n,
  firstByteMs: 0n,
  firstBytes: 0,
};
const FIELDS = Object.keys(NOTHING) as (keyof UsageCounters)[];

/** The sums of several rows. Exact. */
export function sumOfUsage(rows: readonly UsageCounters[]): UsageCounters {
  const total = { ...NOTHING };
  for (const row of rows)
    for (const field of FIELDS) (total as Record<string, unknown>)[field] = plus(total, row, field);
  return total;
}

const plus = (a: UsageCounters, b: UsageCounters, field: keyof UsageCounters): number | bigint => {
  const [left, right] = [a[field], b[field]];
  return typeof left === "bigint" ? left + BigInt(right) : left + Number(right);
};

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
