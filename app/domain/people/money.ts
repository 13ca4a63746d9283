import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { markExempt, openWallet, readBudget, setBudget } from "~/domain/accounting/index.server";
import type { NewBudget } from "~/domain/accounting/shared";
import { recordAbout } from "~/domain/accounts/index.server";
import type { Actor } from "~/domain/accounts/shared";
import type { AuditAction } from "~/domain/activity/shared";
import { changeCredit, lockCreditCeiling } from "~/domain/payers/index.server";
import type { BillingMode } from "~/domain/payers/shared";
import { apiError } from "~/errors/app-error";
import type { Operation } from "./rules";
import { changePerson } from "./store";
import { requireAccessible, requireOperation, type Target, withTarget } from "./target";

/**
 * Sets whether a person's usage is exempt from charges; budgets still apply. Without `wanted` it is toggled. Returns
 * the new value.
 * @throws AppError forbidden, not_found
 */
export function setBillingExempt(db: Db, actor: Actor, userId: number, wanted?: boolean): Promise<boolean> {
  return withTarget(db, actor, "billing-exempt", userId, async (tx, target) => {
    const exempt = wanted ?? !target.billingExempt;
    if (target.billingExempt === exempt) return exempt;
    await changePerson(tx, userId, { billingExempt: exempt });
    // The wallet of an exempt person counts what they would have paid.
    await markExempt(tx, await walletFor(tx, target), { exempt, actor: `user:${actor.userId}` });
    await publish(tx, "keys");
    await recordAbout(tx, actor, target, {
      action: "user.billing_exempt",
      before: { billingExempt: target.billingExempt },
      after: { billingExempt: exempt },
    });
    return exempt;
  });
}

/**
 * Sets how far below zero a person's own wallet may go, in nano-USD. Organisation admins can raise it within their
 * organisation's credit ceiling, and lower it freely.
 * @throws AppError forbidden, also for more than the ceiling leaves; not_found
 */
export function setCreditLimit(db: Db, actor: Actor, userId: number, limitNanoUsd: bigint): Promise<void> {
  return withCreditOf(db, actor, "credit-limit", userId, (tx, target) =>
    putCredit(tx, actor, target, { limitNanoUsd, param: "credit_limit", action: "user.credit_limit" }),
  );
}

/**
 * Sets the maximum that a person may spend in a calendar month (UTC), in nano-USD; null: no limit.
 * @throws AppError forbidden, not_found
 */
export function setMonthlyBudget(db: Db, actor: Actor, userId: number, limitNanoUsd: bigint | null): Promise<void> {
  return withTarget(db, actor, "monthly-budget", userId, (tx, target) =>
    putBudget(tx, actor, target, { limitNanoUsd, period: "monthly" }, "user.monthly_budget"),
  );
}

/** The payer of a person, and the limits. Amounts are nano-USD. */
export type BillingConfig = {
  /** If absent, unchanged. */
  mode?: BillingMode;
  /** Maximum usage per period, regardless of the payer; `limitNanoUsd` null: no limit. If absent, unchanged. */
  budget?: NewBudget;
  /** How far below zero their own wallet may go. If absent, unchanged. */
  credit?: { limitNanoUsd: bigint; param: string };
};

/**
 * Sets who pays for a person, and the limits: all of them or none. Credit follows the rule of `setCreditLimit`.
 * @throws AppError forbidden, not_found
 */
export function setBillingConfig(
  db: Db,
  actor: Actor,
  userId: number,
  { mode, budget, credit }: BillingConfig,
): Promise<void> {
  return withCreditOf(db, actor, "billing-config", userId, async (tx, target) => {
    if (mode !== undefined && target.billingMode !== mode) {
      await changePerson(tx, userId, { billingMode: mode });
      await publish(tx, "keys");
      await recordAbout(tx, actor, target, {
        action: "user.billing_mode",
        before: { billingMode: target.billingMode },
        after: { billingMode: mode },
      });
    }
    if (budget !== undefined) await putBudget(tx, actor, target, budget, "user.spending_limit");
    if (credit !== undefined) await putCredit(tx, actor, target, { ...credit, action: "user.spending_limit" });
  });
}

/**
 * As `withTarget`, but first locks the credit ceiling of the person's organisation. Merging organisations locks in the
 * same order.
 */
async function withCreditOf(
  db: Db,
  actor: Actor,
  operation: Operation,
  userId: number,
  work: (tx: Db, target: Target) => Promise<void>,
): Promise<void> {
  requireOperation(actor, operation);
  await inTransaction(db, async (tx) => {
    const { organisationId } = await requireAccessible(tx, actor, userId);
    await lockCreditCeiling(tx, organisationId);
    await withTarget(tx, actor, operation, userId, (_, target) => {
      if (target.organisationId !== organisationId) throw apiError("conflict");
      return work(tx, target);
    });
  });
}

async function putCredit(
  tx: Db,
  actor: Actor,
  target: Target,
  { action, ...credit }: { limitNanoUsd: bigint; param: string; action: AuditAction },
): Promise<void> {
  const walletId = await walletFor(tx, target);
  const before = await changeCredit(tx, actor, { ...credit, walletId, organisationId: target.organisationId });
  if (before === credit.limitNanoUsd) return;
  await recordAbout(tx, actor, target, {
    action,
    before: { creditLimitNanoUsd: before },
    after: { creditLimitNanoUsd: credit.limitNanoUsd },
  });
}

async function putBudget(tx: Db, actor: Actor, target: Target, budget: NewBudget, action: AuditAction): Promise<void> {
  const { id, organisationId } = target;
  const { limitNanoUsd, period } = budget;
  const now = await readBudget(tx, { kind: "user", id });
  if ((now?.limitNanoUsd ?? null) === limitNanoUsd && (now === null || now.period === period)) return;
  await setBudget(tx, { kind: "user", id, organisationId }, budget);
  await recordAbout(tx, actor, target, {
    action,
    before: { limitNanoUsd: now?.limitNanoUsd ?? null, period: now?.period ?? null },
    after: { limitNanoUsd, period },
  });
}

const walletFor = (tx: Db, { id, organisationId, billingExempt }: Target): Promise<number> =>
  openWallet(tx, { kind: "user", id, organisationId }, { exempt: billingExempt });
