import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { isAmount, notAnAmount } from "../amount";
import type { BudgetOwner, BudgetPeriod, BudgetScope, BudgetView, Parties } from "../shared";
import { type BudgetRow, existsLimit, findBudgets, putBudget } from "../store";

/**
 * Replaces the budget of a scope; a limit of null counts without limiting. A limit below the spent amount is valid and admits no
 * further calls. A budget with a new period opens with the amount that the scope has spent in that period. Takes effect with the
 * next admission; published as `<scope>:<id>`. Safe to repeat.
 */
export async function setBudget(
  db: Db,
  owner: BudgetOwner,
  budget: { limitNanoUsd: bigint | null; period: BudgetPeriod },
): Promise<void> {
  const { limitNanoUsd } = budget;
  if (limitNanoUsd !== null && !isAmount(limitNanoUsd)) throw notAnAmount(limitNanoUsd);
  await inTransaction(db, async (tx) => {
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
