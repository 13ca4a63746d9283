import type { Db } from "~/connection/db.server";
import { settledCallsPosted } from "~/domain/accounting/index.server";
import { type Actor, scopeOf } from "~/domain/accounts/shared";
import { findFirstRequest, findLastUses, findRecentRequests } from "./recent-requests-store";
import type { RecentRequest } from "./shared";

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

/** Returns the first finished call with one of the person's own keys; null: none. */
export async function firstRequestOf(db: Db, userId: number): Promise<RecentRequest | null> {
  await settledCallsPosted();
  return findFirstRequest(db, userId);
}
