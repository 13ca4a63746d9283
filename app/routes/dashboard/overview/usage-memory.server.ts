import { LRUCache } from "lru-cache";
import type { Db } from "~/connection/db.server";
import type { UsageScope } from "~/domain/usage/shared";
import { type Range, windowOf } from "~/values/time-range";
import { type OverviewUsage, readOverviewUsage } from "./usage.server";

/**
 * Sums over many keys are cached for a few seconds, because all their administrators request the same ones. Results
 * younger than `FRESH_MS` are returned; results younger than `KEPT_MS` are returned while new ones are fetched. The
 * sums of a single person are not cached.
 */
const FRESH_MS = 5_000;
const KEPT_MS = 60_000;
const MAX_COUNT = 300;

type Kept = { at: number; reading: Promise<OverviewUsage>; next: Promise<OverviewUsage> | null };
const cache = new LRUCache<string, Kept>({ max: MAX_COUNT, ttl: KEPT_MS });

/** Returns the usage of a scope for the overview, at most a minute old. */
export function recallOverviewUsage(db: Db, scope: UsageScope, range: Range, timeZone: string): Promise<OverviewUsage> {
  const read = () => readOverviewUsage(db, scope, windowOf(range, timeZone, new Date()));
  if (scope.userIds !== undefined) return read();
  const name = JSON.stringify([scope, range, timeZone, new Date().getUTCHours()]);
  const known = cache.get(name);
  if (known !== undefined && performance.now() - known.at < FRESH_MS) return known.reading;
  if (known !== undefined) {
    known.next ??= keep(name, read()).catch(() => {
      known.next = null;
      return known.reading;
    });
    return known.reading;
  }
  const reading = read();
  cache.set(name, { at: performance.now(), reading, next: null });
  reading.catch(() => cache.delete(name));
  return reading;
}

async function keep(name: string, reading: Promise<OverviewUsage>): Promise<OverviewUsage> {
  const usage = await reading;
  cache.set(name, { at: performance.now(), reading: Promise.resolve(usage), next: null });
  return usage;
}
