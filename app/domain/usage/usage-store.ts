import type { Reads } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import { bucketsOf, hoursAround, steps } from "./calendar";
import { localHours } from "./calendar-store";
import { type Sums, usageParts } from "./parts-store";
import type { UsageGroup, UsagePoint, UsageScope, UsageTotal } from "./shared";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A span with buckets of an hour or a day in a time zone; `day` buckets begin at local midnight. */
export type Span = { from: Date; to: Date; bucket: "hour" | "day"; timeZone: string };
type CompleteSpan = Span & Pick<Sums, "completeBefore">;

/** Cached by client: an older snapshot must not use days that became complete after it began. */
const complete = new WeakMap<Reads, Date>();

/**
 * Returns the time before which UTC days have sums; null: none have. It only grows, so the answer is cached until it can have grown: a day
 * is closed one hour after its end.
 */
export async function findCompleteBefore(db: Reads): Promise<Date | null> {
  const known = complete.get(db);
  if (known !== undefined && Date.now() < known.getTime() + DAY_MS + HOUR_MS) return known;
  const [row] = await db.$queryRaw<
    { at: Date | null }[]
  >`SELECT nullif(complete_before, '-infinity') AS at FROM usage_days`;
  if (row?.at) complete.set(db, row.at);
  return row?.at ?? null;
}

/** Returns sums by bucket and group; empty buckets are absent. */
export async function sumByBucket(
  db: Reads,
  scope: UsageScope,
  span: CompleteSpan,
  group: UsageGroup | null,
): Promise<UsagePoint[]> {
  return db.$queryRaw<UsagePoint[]>(await pointsOf(db, scope, span, group));
}

/** Yields the same rows in pages where the database supports it. */
export async function* pagesByBucket(
  db: Reads,
  scope: UsageScope,
  span: CompleteSpan,
  { group, rowsAtOnce }: { group: UsageGroup | null; rowsAtOnce: number },
): AsyncGenerator<UsagePoint[], void, undefined> {
  if (db.pagesOf === undefined) yield await sumByBucket(db, scope, span, group);
  else yield* db.pagesOf<UsagePoint>(await pointsOf(db, scope, span, group), rowsAtOnce);
}

async function pointsOf(
  db: Reads,
  scope: UsageScope,
  { bucket, timeZone, ...span }: CompleteSpan,
  group: UsageGroup | null,
): Promise<Prisma.Sql> {
  const parts = await usageParts(db, scope, { ...span, buckets: { of: bucket, timeZone } }, group);
  return Prisma.sql`
    ${parts}
    SELECT bucket, "group", ${SUMS} FROM part GROUP BY bucket, "group" HAVING sum(requests) > 0 ORDER BY bucket, "group"`;
}

/** Returns sums by group, highest cost first. */
export async function sumByGroup(
  db: Reads,
  scope: UsageScope,
  span: Omit<Sums, "buckets">,
  { group, page }: { group: UsageGroup | null; page: { limit: number; offset: number } | null },
): Promise<UsageTotal[]> {
  const parts = await usageParts(db, scope, { ...span, buckets: null }, group);
  return db.$queryRaw<UsageTotal[]>`${parts}
    SELECT "group", ${SUMS} FROM part GROUP BY "group" HAVING sum(requests) > 0 ORDER BY sum(charged) DESC, sum(requests) DESC, "group"
     LIMIT ${page?.limit ?? null}::bigint OFFSET ${page?.offset ?? 0}::bigint`;
}

const ROUTED = new Set(["requests", "routed"]);

/** Requests of each key in a span, and those among them for `auto`; as parallel lists, which Prisma reads faster than rows. */
export type KeysRouted = { keyIds: number[]; requests: number[]; routed: number[] };

export async function sumRoutedByKey(
  db: Reads,
  scope: UsageScope,
  span: Omit<Sums, "buckets" | "counters">,
): Promise<KeysRouted> {
  const parts = await usageParts(db, scope, { ...span, buckets: null, counters: ROUTED }, "key");
  const [lists] = await db.$queryRaw<KeysRouted[]>`
    ${parts}
    SELECT coalesce(array_agg("group"), '{}') AS "keyIds", coalesce(array_agg(requests), '{}') AS requests, coalesce(array_agg(routed), '{}') AS routed
      FROM (SELECT "group", sum(requests)::integer AS requests, sum(routed)::integer AS routed FROM part GROUP BY "group") of_key`;
  return lists!;
}

/** Returns the starts of all buckets of a span, including empty ones. */
export async function listBuckets(db: Reads, { from, to, bucket, timeZone }: Span): Promise<Date[]> {
  const span = { low: from.getTime(), high: to.getTime() };
  const starts =
    bucket === "day" ? bucketsOf(span, await localHours(db, span, timeZone)) : steps(hoursAround(span), HOUR_MS);
  return starts.map((at) => new Date(at));
}

const SUMS = Prisma.sql`
  sum(requests)::integer AS requests, sum(errors)::integer AS errors, sum(failovers)::integer AS failovers, sum(routed)::integer AS routed,
  sum(input_tokens)::bigint AS "inputTokens", sum(cached_input_tokens)::bigint AS "cachedInputTokens",
  sum(cache_write_tokens)::bigint AS "cacheWriteTokens", sum(output_tokens)::bigint AS "outputTokens",
  sum(reasoning_tokens)::bigint AS "reasoningTokens", sum(cost)::bigint AS "costNanoUsd", sum(charged)::bigint AS "chargedNanoUsd",
  sum(saved)::bigint AS "savedNanoUsd", sum(latency_ms)::bigint AS "latencyMs", sum(first_byte_ms)::bigint AS "firstByteMs",
  sum(first_bytes)::integer AS "firstBytes"`;
