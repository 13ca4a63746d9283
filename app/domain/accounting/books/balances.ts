import { publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import type { Balance, Payer } from "../shared";
import { findBalances, movePayer, sumCredit } from "./merge-wallets-store";

/** Returns balances and wallet ids of payers of one kind, by payer; payers without a wallet are absent. */
export async function readBalances(
  db: Db,
  kind: Payer["kind"],
  payerIds: readonly number[],
): Promise<Map<number, Balance & { walletId: number }>> {
  const rows = payerIds.length === 0 ? [] : await findBalances(db, kind, payerIds);
  return new Map(
    rows.map((row) => [
      row.payer_id,
      {
        walletId: Number(row.id),
        postedNanoUsd: row.posted,
        heldNanoUsd: row.held,
        creditLimitNanoUsd: row.credit_limit,
        availableNanoUsd: row.posted - row.held + row.credit_limit,
        exempt: row.exempt,
      },
    ]),
  );
}

/** Moves a person's or project's wallet and budgets to another organisation. Publishes a budget change. Safe to repeat. */
export async function reassignPayer(
  db: Db,
  payer: { kind: "user" | "project"; id: number; organisationId: number },
): Promise<void> {
  await movePayer(db, payer);
  await publish(db, "budgets", `${payer.kind}:${payer.id}`);
}

/**
 * Returns the credit granted in an organisation, in nano-USD: for each of its wallets (its own, its people's, its projects') the
 * limit, or the used credit where that is more. A merged wallet counts with its used credit. `except`: a wallet to leave out.
 */
export const readCreditGiven = (db: Db, organisationId: number, except: number | null = null): Promise<bigint> =>
  sumCredit(db, organisationId, except);
