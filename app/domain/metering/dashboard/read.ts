import { LRUCache } from "lru-cache";
import type { Db } from "~/connection/db.server";
import { settledCallsPosted } from "~/domain/accounting/index.server";
import { type Actor, scopeOf } from "~/domain/accounts/shared";
import { startOfLast30Days } from "~/values/calendar-days";
import type { KeyUse, RecentRequest } from "./shared";
import { findFirstRequest, findLastUses, findRecentRequests, sumKeyUse } from "./store";

/** Returns the newest finished calls in the actor's scope, at most `limit`. */
export async function recentRequests(db: Db, actor: Actor, limit: number): Promise<RecentRequest[]> {
  await settledCallsPosted();
  return findRecentRequests(db, scopeOf(actor), limit);
}

/** Returns the last use of keys, rejected requests included. The caller must have checked that the keys are in the reader's scope. */
export async function lastUses(db: Db, keyIds: readonly number[]): Promise<Map<number, Date>> {
  if (keyIds.length === 0) return new Map();
  await settledCallsPosted();
  return findLastUses(db, keyIds);
}

/** Returns the usage of keys since a time, by whole UTC hours. The caller must have checked that the keys are in the reader's scope. */
export async function keyUseSince(db: Db, keyIds: readonly number[], since: Date): Promise<Map<number, KeyUse>> {
  if (keyIds.length === 0) return new Map();
  await settledCallsPosted();
  return sumKeyUse(db, keyIds, since);
}

/** Returns the first finished call with one of the person's own keys; null: none. */
export async function firstRequestOf(db: Db, userId: number): Promise<RecentRequest | null> {
  await settledCallsPosted();
  return findFirstRequest(db, userId);
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
