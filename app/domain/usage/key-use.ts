import { LRUCache } from "lru-cache";
import type { Db } from "~/connection/db.server";
import { settledCallsPosted } from "~/domain/accounting/index.server";
import { startOfLast30Days } from "~/values/calendar-days";
import { sumKeyUse } from "./key-use-store";
import type { KeyUse } from "./shared";

/** Returns the usage of keys since a time, by whole UTC hours. The caller must have checked that the keys are in the reader's scope. */
export async function keyUseSince(db: Db, keyIds: readonly number[], since: Date): Promise<Map<number, KeyUse>> {
  if (keyIds.length === 0) return new Map();
  await settledCallsPosted();
  return sumKeyUse(db, keyIds, since);
}

const KEPT_MS = 60_000;
const MAX_KEPT = 20_000;
const months = new LRUCache<number, KeyUse>({ max: MAX_KEPT, ttl: KEPT_MS });

/**
 * Returns the usage of keys in the last 30 days, cached for up to a minute because long lists repeat the query. The caller must have checked
 * that the keys are in the reader's scope.
 */
export async function keyUseOfMonth(db: Db, keyIds: readonly number[]): Promise<Map<number, KeyUse>> {
  const uses = new Map(keyIds.map((id) => [id, months.get(id)]));
  const unknown = keyIds.filter((id) => uses.get(id) === undefined);
  const fresh = await keyUseSince(db, unknown, startOfLast30Days(new Date()));
  return new Map(keyIds.map((id) => [id, uses.get(id) ?? remember(id, fresh.get(id) ?? NO_USE)]));
}

const NO_USE: KeyUse = { requests: 0, chargedNanoUsd: 0n };

function remember(keyId: number, use: KeyUse): KeyUse {
  months.set(keyId, use);
  return use;
}
