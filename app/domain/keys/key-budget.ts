import type { Db } from "~/connection/db.server";
import { readBudget, readBudgets, setBudget } from "~/domain/accounting/index.server";
import type { BudgetView, NewBudget } from "~/domain/accounting/shared";

/** A new limit in nano-USD (null: none) or period; undefined: unchanged. */
export type BudgetChange = Partial<NewBudget>;

const DEFAULT_PERIOD = "monthly";

/** Changes the budget of one key, in the transaction that changes the key. */
export async function setKeyBudget(
  tx: Db,
  key: { id: number; organisationId: number },
  change: BudgetChange,
): Promise<void> {
  const scope = { kind: "key", id: key.id } as const;
  const now = await readBudget(tx, scope);
  await setBudget(
    tx,
    { ...scope, organisationId: key.organisationId },
    {
      limitNanoUsd: change.limitNanoUsd === undefined ? (now?.limitNanoUsd ?? null) : change.limitNanoUsd,
      period: change.period ?? now?.period ?? DEFAULT_PERIOD,
      expected: change.expected,
    },
  );
}

/** Returns the budgets of keys, by key id; a key that never had one is missing. */
export const readKeyBudgets = (db: Db, keyIds: readonly number[]): Promise<Map<number, BudgetView>> =>
  readBudgets(db, "key", keyIds);
