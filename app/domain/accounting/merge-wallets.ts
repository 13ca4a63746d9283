import { publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { apiError } from "~/errors/app-error";
import { moveBudgets, moveWallet } from "./merge-wallets-store";

/**
 * Moves what one wallet has into another: all of it that no open hold needs, now; what the holds leave, as they end.
 * `withCredit` moves the credit limit too, and debts with it; without it a debt stays where it is. Entries are never
 * moved: a transfer is posted. Returns the nano-USD moved now. `db` should be a transaction; a repetition moves what has
 * come since.
 * @throws AppError not_found
 */
export async function mergeWallets(
  db: Db,
  wallets: { fromId: number; toId: number; withCredit: boolean; actor: string },
): Promise<bigint> {
  const moved = await moveWallet(db, wallets);
  if (moved === null) throw apiError("not_found", { key: "rejections:noWallet" });
  await publish(db, "budgets");
  return moved;
}

/**
 * Gives everything that organisations limit and pay from (budgets of keys, people, departments and projects, people's
 * wallets) to another organisation. Where that one has a limit, theirs for the same period are added to it with what they
 * have spent; an organisation without a limit stays without. `db` should be a transaction. Safe to repeat.
 */
export async function mergeBudgets(db: Db, toOrganisationId: number, fromIds: readonly number[]): Promise<void> {
  await moveBudgets(db, toOrganisationId, fromIds);
  await publish(db, "budgets");
}
