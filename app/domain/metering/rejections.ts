import type { Db } from "~/db.server";
import { settledCallsPosted } from "~/domain/accounting/index.server";
import { keysRejectedFor } from "./rejected-requests-store";
import {
  deleteRejectionHours,
  deleteRejections,
  findRejectedSince,
  insertRejections,
  listRejections,
  sumRejections,
} from "./rejection-store";
import type { KeyOutOfMoney, NewRejection, OutOfMoney, Rejection, RejectionBurst, UsageScope } from "./shared";

/** So long a refusal is remembered, and so long how many there were. */
const KEPT_DAYS = 7;
const HOURS_KEPT_DAYS = 400;
const MAX_TEXT_LENGTH = 400;

/** The last refusals of a key's requests, newest first: those before a supplier was called. Kept for seven days. */
export function recentRejections(db: Db, keyId: number, limit = 20): Promise<Rejection[]> {
  return listRejections(db, keyId, limit);
}

/**
 * How many requests of some keys were refused before a supplier was called, in the hours (UTC) from `since` on, by key; keys
 * without any are missing. Exact, and at most a second old. The caller has found the keys within their reader's scope.
 */
export async function rejectionsSince(db: Db, keyIds: readonly number[], since: Date): Promise<Map<number, number>> {
  return keyIds.length === 0 ? new Map() : sumRejections(db, keyIds, since);
}

const OUT_OF_MONEY: readonly OutOfMoney["code"][] = ["budget_exceeded", "billing_limit_reached"];
const OUT_OF_MONEY_FOR_MS = 86_400_000;

/**
 * Keys whose requests of the last day ended in being rejected for want of money, by key, and since when: from the first one that was
 * rejected behind the last one that was admitted, a week at most. The caller has found the keys within their reader's scope.
 */
export async function outOfMoney(db: Db, keyIds: readonly number[]): Promise<Map<number, OutOfMoney>> {
  if (keyIds.length === 0) return new Map();
  await settledCallsPosted();
  const newest = new Date(Date.now() - OUT_OF_MONEY_FOR_MS);
  const rows = await findRejectedSince(db, keyIds, { codes: OUT_OF_MONEY, newest });
  return new Map(rows.map(({ keyId, code, since }) => [keyId, { code: code as OutOfMoney["code"], since }]));
}

/** So many keys that were refused for want of money are looked at, those that were refused most. */
const LOOKED_AT = 200;

/**
 * The keys of a scope that are out of money, as `outOfMoney` says, with how many of their requests were rejected for it in the last 24
 * hours (whole hours, UTC): the most first, at most `limit`.
 */
export async function keysOutOfMoney(db: Db, scope: UsageScope, limit: number): Promise<KeyOutOfMoney[]> {
  const since = new Date(Date.now() - OUT_OF_MONEY_FOR_MS);
  const rejected = await keysRejectedFor(db, scope, { codes: OUT_OF_MONEY, since, limit: LOOKED_AT });
  const broke = await outOfMoney(
    db,
    rejected.map(({ keyId }) => keyId),
  );
  return rejected
    .flatMap((key) => {
      const found = broke.get(key.keyId);
      return found === undefined ? [] : [{ ...key, ...found }];
    })
    .slice(0, limit);
}

/** Remembers bursts of refusals, and counts them by the hour, all in one statement. A refusal alone is a burst of one. */
export function recordRejections(db: Db, rejections: readonly (NewRejection | RejectionBurst)[]): Promise<void> {
  return insertRejections(
    db,
    rejections.map((each) => storable({ lastAt: each.at, times: 1, isFirst: true, ...each })),
  );
}

/** Forgets refusals, and their counts, that are older than they are kept; at most `maximum` at once. Returns how many rows it were. */
export async function purgeOldRejections(db: Db, maximum = 10_000): Promise<number> {
  const rejections = await deleteRejections(db, KEPT_DAYS, maximum);
  return rejections + (await deleteRejectionHours(db, HOURS_KEPT_DAYS, maximum - rejections));
}

const storable = (rejection: RejectionBurst): RejectionBurst => ({
  ...rejection,
  model: text(rejection.model),
  param: rejection.param === null ? null : text(rejection.param),
  humanMessage: text(rejection.humanMessage),
});

/** No NUL and no half of a surrogate pair, which the database cannot keep. */
const text = (value: string) =>
  value
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll("\u0000", "")
    .replace(/\p{Surrogate}/gu, "\ufffd");
