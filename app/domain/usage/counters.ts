import type { UsageCounters, UsagePoint, UsageTotal } from "./shared";

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

/** Exact sums of rows. */
export function sumOfUsage(rows: readonly UsageCounters[]): UsageCounters {
  const total = { ...NOTHING };
  for (const row of rows)
    for (const field of FIELDS) (total as Record<string, unknown>)[field] = plus(total, row, field);
  return total;
}

/** Merges points of several groups into one point per bucket, in order. Exact. */
export function sumsByBucket(points: readonly UsagePoint[]): UsagePoint[] {
  const lists = listsBy(points, ({ bucket }) => bucket.getTime());
  const sums = [...lists.values()].map((list) => ({ bucket: list[0]!.bucket, group: null, ...sumOfUsage(list) }));
  return sums.sort((a, b) => a.bucket.getTime() - b.bucket.getTime());
}

/** Merges points into one sum per group, highest cost first, as in `usageTotals`. Exact. */
export function sumsByGroup(points: readonly UsagePoint[]): UsageTotal[] {
  const lists = listsBy(points, ({ group }) => group);
  const sums = [...lists].map(([group, list]) => ({ group, ...sumOfUsage(list) }));
  return sums.sort(
    (a, b) =>
      descending(a.chargedNanoUsd, b.chargedNanoUsd) ||
      descending(a.requests, b.requests) ||
      descending(b.group ?? "", a.group ?? ""),
  );
}

function listsBy<Key>(points: readonly UsagePoint[], keyOf: (point: UsagePoint) => Key): Map<Key, UsagePoint[]> {
  const lists = new Map<Key, UsagePoint[]>();
  for (const point of points) {
    const list = lists.get(keyOf(point));
    if (list === undefined) lists.set(keyOf(point), [point]);
    else list.push(point);
  }
  return lists;
}

const descending = <Of extends bigint | number | string>(a: Of, b: Of): number => (a < b ? 1 : a > b ? -1 : 0);

const plus = (a: UsageCounters, b: UsageCounters, field: keyof UsageCounters): number | bigint => {
  const [first, right] = [a[field], b[field]];
  return typeof first === "bigint" ? first + BigInt(right) : first + Number(right);
};

/** Names of the sums in files and answers, and their values; charges in nano-dollars. */
const ANSWERS = {
  requests: (of: UsageCounters) => of.requests,
  errors: (of: UsageCounters) => of.errors,
  failovers: (of: UsageCounters) => of.failovers,
  input_tokens: (of: UsageCounters) => Number(of.inputTokens),
  cached_input_tokens: (of: UsageCounters) => Number(of.cachedInputTokens),
  cache_write_tokens: (of: UsageCounters) => Number(of.cacheWriteTokens),
  output_tokens: (of: UsageCounters) => Number(of.outputTokens),
  reasoning_tokens: (of: UsageCounters) => Number(of.reasoningTokens),
  charged_usd: (of: UsageCounters) => of.chargedNanoUsd,
  average_latency_ms: (of: UsageCounters) => average(of.latencyMs, of.requests),
  average_first_byte_ms: (of: UsageCounters) => average(of.firstByteMs, of.firstBytes),
};
type Answers = { [Name in keyof typeof ANSWERS]: ReturnType<(typeof ANSWERS)[Name]> };

/** Returns one sum by its name in files and answers. */
export const counterAnswer = (of: UsageCounters, name: keyof Answers): Answers[keyof Answers] => ANSWERS[name](of);

/** Returns all sums by their names in files and answers. */
export const countersAnswer = (counters: UsageCounters | null): Answers =>
  Object.fromEntries(
    Object.entries(ANSWERS).map(([name, answer]) => [name, answer(counters ?? NOTHING)]),
  ) as unknown as Answers;

const average = (total: bigint, count: number): number | null =>
  count === 0 ? null : Math.round(Number(total) / count);
