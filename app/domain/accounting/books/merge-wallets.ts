import { publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { apiError } from "~/errors/app-error";
import { moveBudgets, moveWallet } from "./merge-wallets-store";

/**
 * Moves the money of one wallet to another: the part that no open hold needs at once, the rest as the holds end. `withCredit` also
 * moves the credit limit and the debt; otherwise both stay. Ledger entries are never moved; a transfer is posted. Returns the
 * nano-USD moved now. `db` should be a transaction. A repetition moves the money that has arrived since.
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
 * Moves the budgets of organisations' keys, people, departments and projects, and people's wallets, to another organisation. If the
 * target has a limit, the limits of the same period and their spent amounts are added to it; a target without a limit stays without
 * one. `db` should be a transaction. Safe to repeat.
 */
export async function mergeBudgets(db: Db, toOrganisationId: number, fromIds: readonly number[]): Promise<void> {
  await moveBudgets(db, toOrganisationId, fromIds);
  await publish(db, "budgets");
}
