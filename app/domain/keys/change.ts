import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import { type KeyAuthor, OPERATOR } from "./authors";
import type { KeyView } from "./key";
import { type BudgetChange, setKeyBudget } from "./key-budget";
import { changedSettings, recordKeyEvent } from "./key-events";
import { viewOf } from "./key-view";
import { noSuchKey } from "./read";
import {
  changeKeyRow,
  countOtherAdminKeys,
  findKey,
  type KeyChange,
  type KeyRef,
  type KeyRow,
  lockAdminKeys,
  lockKey,
  type OrgScope,
  revokeKeyRow,
} from "./store";

/**
 * Changes the given fields of a key. Takes effect everywhere within a second.
 * @throws AppError not_found; conflict for a revoked key, and for a change that would leave no usable admin key.
 */
export function updateKey(
  db: Db,
  scope: OrgScope,
  ref: KeyRef,
  change: KeyChange & { budget?: BudgetChange },
  by: KeyAuthor = OPERATOR,
): Promise<KeyView> {
  const { budget, ...fields } = change;
  return inTransaction(db, async (tx) => {
    const key = await lockForChange(tx, scope, ref);
    refuseRevoked(key);
    if (fields.status === "suspended" || fields.expiresAt) await requireOtherAdminKey(tx, scope, key);
    const before = await viewOf(tx, key);
    const changed = await changeKeyRow(tx, scope, key.id, fields);
    if (budget) await setKeyBudget(tx, key, budget);
    const after = await viewOf(tx, changed);
    for (const event of changedSettings(before, after))
      await recordAuditEvent(tx, { ...recordKeyEvent(key, by), ...event });
    await publish(tx, "keys", String(key.id));
    return after;
  });
}

/**
 * Revokes a key permanently: rejected at once in this process, within a second in all others. Repeating it changes
 * nothing.
 * @throws AppError not_found; conflict for the last usable admin key of the organisation.
 */
export function revokeKey(db: Db, scope: OrgScope, ref: KeyRef, by: KeyAuthor = OPERATOR): Promise<KeyView> {
  return inTransaction(db, async (tx) => {
    const key = await lockForChange(tx, scope, ref);
    if (key.status === "revoked") return viewOf(tx, key);
    await requireOtherAdminKey(tx, scope, key);
    const revoked = await revokeKeyRow(tx, scope, key.id, new Date());
    await recordAuditEvent(tx, {
      ...recordKeyEvent(key, by),
      action: "key.revoke",
      before: { status: key.status },
      after: { status: "revoked" },
    });
    await publish(tx, "keys", String(key.id));
    return viewOf(tx, revoked);
  });
}

/**
 * Returns the key, locked until the transaction ends. For an admin key, all admin keys of the organisation are locked,
 * because a change of one depends on the others.
 */
export async function lockForChange(tx: Db, scope: OrgScope, ref: KeyRef): Promise<KeyRow> {
  const key = await findKey(tx, scope, ref);
  if (key === null) throw noSuchKey();
  if (key.kind === "admin") await lockAdminKeys(tx, scope);
  else await lockKey(tx, scope, key.id);
  const locked = await findKey(tx, scope, { id: key.id });
  if (locked === null) throw noSuchKey();
  return locked;
}

export function refuseRevoked(key: KeyRow): void {
  if (key.status === "revoked") {
    throw apiError("conflict", { key: "rejections:keyRevoked" });
  }
}

async function requireOtherAdminKey(tx: Db, scope: OrgScope, key: KeyRow): Promise<void> {
  if (key.kind !== "admin" || (await countOtherAdminKeys(tx, scope, key.id)) > 0) return;
  throw apiError("conflict", {
    key: "rejections:lastAdminKey",
  });
}
