import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { apiError } from "~/errors/app-error";
import { isAmount, notAnAmount } from "../amount";
import type { BudgetLimit, BudgetOwner, BudgetScope, BudgetView, NewBudget, Parties } from "../shared";
import { type BudgetRow, existsLimit, findBudgets, lockBudget, putBudget } from "../store";

/**
 * Replaces the budget of a scope; a limit of null counts without limiting. A limit below the spent amount is valid and admits no
 * further calls. A budget with a new period opens with the amount that the scope has spent in that period. Takes effect with the
 * next admission; published as `<scope>:<id>`. Safe to repeat.
 * @throws AppError conflict when the budget is not the expected one
 */
export async function setBudget(db: Db, owner: BudgetOwner, budget: NewBudget): Promise<void> {
  const { limitNanoUsd } = budget;
  if (limitNanoUsd !== null && !isAmount(limitNanoUsd)) throw notAnAmount(limitNanoUsd);
  await inTransaction(db, async (tx) => {
    if (budget.expected !== undefined) {
      await lockBudget(tx, owner);
      requireExpectedBudget(await readBudget(tx, owner), budget.expected);
    }
    await putBudget(tx, owner, budget);
    await publish(tx, "budgets", `${owner.kind}:${owner.id}`);
  });
}

/** Returns the budget of a scope in its current period; null when it never had one. */
export async function readBudget(db: Db, scope: { kind: BudgetScope; id: number }): Promise<BudgetView | null> {
  return (await readBudgets(db, scope.kind, [scope.id])).get(scope.id) ?? null;
}

/** Returns the budgets of scopes of one kind, by id; scopes without one are absent. */
export async function readBudgets(db: Db, kind: BudgetScope, ids: readonly number[]): Promise<Map<number, BudgetView>> {
  const rows = ids.length === 0 ? [] : await findBudgets(db, kind, ids);
  return new Map(rows.map((row) => [row.scope_id, viewOf(row)]));
}

/** Whether any budget of a call's scopes has a limit. */
export function hasBudgetLimit(db: Db, parties: Omit<Parties, "walletId" | "exempt">): Promise<boolean> {
  return existsLimit(db, parties);
}

function viewOf({ limit_amt, period, spent, held, resets_at }: BudgetRow): BudgetView {
  const available = limit_amt === null ? null : limit_amt - spent - held;
  return {
    period,
    limitNanoUsd: limit_amt,
    spentNanoUsd: spent,
    heldNanoUsd: held,
    availableNanoUsd: available !== null && available < 0n ? 0n : available,
    resetsAt: resets_at,
  };
}

/** Rejects a change of another budget than the one in force. No budget equals one without a limit. */
function requireExpectedBudget(now: BudgetView | null, expected: BudgetLimit): void {
  const limitNanoUsd = now?.limitNanoUsd ?? null;
  const isSame = limitNanoUsd === expected.limitNanoUsd && (now === null || now.period === expected.period);
  if (!isSame) throw apiError("conflict", { key: "rejections:budgetChanged" });
}
