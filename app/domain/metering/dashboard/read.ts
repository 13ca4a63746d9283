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
