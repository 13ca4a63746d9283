import type { Db } from "~/db.server";
import { type Actor, scopeOf } from "~/domain/identity/shared";
import type { KeyUse, RecentRequest } from "./shared";
import { findFirstRequest, findLastUses, findRecentRequests, sumKeyUse } from "./store";

/** The newest finished calls within the actor's scope, at most `limit`. */
export const recentRequests = (db: Db, actor: Actor, limit: number): Promise<RecentRequest[]> =>
  findRecentRequests(db, scopeOf(actor), limit);

/** When some keys were last used, by key. The caller has found the keys within their reader's scope. */
export const lastUses = async (db: Db, keyIds: readonly number[]): Promise<Map<number, Date>> =>
  keyIds.length === 0 ? new Map() : findLastUses(db, keyIds);

/** What some keys have used since a moment, by whole hours (UTC). The caller has found the keys within their reader's scope. */
export const keyUseSince = async (db: Db, keyIds: readonly number[], since: Date): Promise<Map<number, KeyUse>> =>
  keyIds.length === 0 ? new Map() : sumKeyUse(db, keyIds, since);

/** The first finished call with one of the person's own keys; null: there has been none. */
export const firstRequestOf = (db: Db, userId: number): Promise<RecentRequest | null> => findFirstRequest(db, userId);

const MONTH_MS = 30 * 86_400_000;
const KEPT_MS = 60_000;
const MOST_KEPT = 20_000;
const months = new Map<number, { at: number; use: KeyUse }>();

/**
 * What some keys have used in the last 30 days, at most a minute old: a long list asks for many sums again and again. The
 * caller has found the keys within their reader's scope.
 */
export async function keyUseOfMonth(db: Db, keyIds: readonly number[]): Promise<Map<number, KeyUse>> {
  const now = performance.now();
  const unknown = keyIds.filter((id) => now - (months.get(id)?.at ?? Number.NEGATIVE_INFINITY) >= KEPT_MS);
  const fresh = await keyUseSince(db, unknown, new Date(Date.now() - MONTH_MS));
  if (months.size > MOST_KEPT) months.clear();
  for (const id of unknown) months.set(id, { at: now, use: fresh.get(id) ?? { requests: 0, chargedNanoUsd: 0n } });
  return new Map(keyIds.flatMap((id) => (months.has(id) ? [[id, months.get(id)!.use] as const] : [])));
}
