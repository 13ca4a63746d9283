import type { Db } from "~/connection/db.server";
import { readBudgets, settledCallsPosted } from "~/domain/accounting/index.server";
import { BUDGET_SCOPES, type BudgetScope } from "~/domain/accounting/shared";
import { keysRejectedFor } from "~/domain/usage/index.server";
import type { UsageScope } from "~/domain/usage/shared";
import { isOneOf } from "~/values/one-of";
import {
  deleteRejectionHours,
  deleteRejections,
  findRejectedSince,
  insertRejections,
  listRejections,
  type RejectedKey,
  sumRejections,
} from "./rejection-store";
import type { KeyOutOfMoney, NewRejection, OutOfMoney, Rejection, RejectionBurst } from "./shared";

/** Retention of rejections, and of their hourly counts. */
const KEPT_DAYS = 7;
const HOURS_KEPT_DAYS = 400;
const MAX_TEXT_LENGTH = 400;

/** Returns a key's latest rejected requests (before a supplier was called), newest first. Retained for seven days. */
export function recentRejections(db: Db, keyId: number, limit = 20): Promise<Rejection[]> {
  return listRejections(db, keyId, limit);
}

/**
 * Returns the number of requests rejected before a supplier was called, by key, in the UTC hours from `since` on; keys without any are
 * absent. Exact, and at most a second old. The caller must have checked that the keys are in the reader's scope.
 */
export async function rejectionsSince(db: Db, keyIds: readonly number[], since: Date): Promise<Map<number, number>> {
  return keyIds.length === 0 ? new Map() : sumRejections(db, keyIds, since);
}

const OUT_OF_MONEY: readonly OutOfMoney["code"][] = ["budget_exceeded", "billing_limit_reached"];
const OUT_OF_MONEY_FOR_MS = 86_400_000;

/**
 * Returns the keys whose latest request of the last day was rejected for lack of money, with the start of the rejections: the first one
 * after the last admitted request. After a week it is exact to the hour. A budget that has room for that request by now is not out of
 * money. The caller must have checked that the keys are in the reader's scope.
 */
export async function outOfMoney(db: Db, keyIds: readonly number[]): Promise<Map<number, OutOfMoney>> {
  if (keyIds.length === 0) return new Map();
  await settledCallsPosted();
  const newest = new Date(Date.now() - OUT_OF_MONEY_FOR_MS);
  const rows = await findRejectedSince(db, keyIds, { codes: OUT_OF_MONEY, newest });
  const budgets = await budgetsOf(db, rows);
  return new Map(
    rows.flatMap(({ keyId, code, since, scope, scopeId, maxCostNanoUsd }): [number, OutOfMoney][] => {
      const found = { code: code as OutOfMoney["code"], since, scope, tooSmall: null };
      if (scope === null || !isBudgetScope(scope) || scopeId === null || maxCostNanoUsd === null)
        return [[keyId, found]];
      const left = budgets.get(scope)?.get(scopeId)?.availableNanoUsd ?? null;
      if (left === null || left >= maxCostNanoUsd) return [];
      return [[keyId, { ...found, tooSmall: left > 0n ? { maxCostNanoUsd } : null }]];
    }),
  );
}

/** The budgets that rejected, by scope and id. */
async function budgetsOf(db: Db, rows: readonly RejectedKey[]) {
  const idsOf = (kind: BudgetScope) => rows.flatMap(({ scope, scopeId }) => (scope === kind ? (scopeId ?? []) : []));
  return new Map(
    await Promise.all(BUDGET_SCOPES.map(async (kind) => [kind, await readBudgets(db, kind, idsOf(kind))] as const)),
  );
}

const isBudgetScope = isOneOf(BUDGET_SCOPES);

/** Maximum keys to examine, those with the most rejections for lack of money first. */
const LOOKED_AT = 200;

/**
 * Returns the keys of a scope that are out of money (see `outOfMoney`), with the number of requests rejected for it in the last 24 whole
 * UTC hours; highest number first, at most `limit`.
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
      const earlier = broke.get(key.keyId);
      return earlier === undefined ? [] : [{ ...key, ...earlier }];
    })
    .slice(0, limit);
}

/** Stores bursts of rejections and their hourly counts in one statement. A single rejection is a burst of one. */
export function recordRejections(db: Db, rejections: readonly (NewRejection | RejectionBurst)[]): Promise<void> {
  return insertRejections(
    db,
    rejections.map((each) => storable({ lastAt: each.at, times: 1, isFirst: true, laterIds: [], ...each })),
  );
}

/** Deletes rejections and counts after their retention, at most `maximum` rows. Returns the number of rows. */
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

/** Removes NUL and lone surrogates, which PostgreSQL cannot store, and bounds the length. */
const text = (value: string) =>
  value
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll("\u0000", "")
    .replace(/\p{Surrogate}/gu, "\ufffd");
