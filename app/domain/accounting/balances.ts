import { publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { findBalances, movePayer, sumCredit } from "./merge-wallets-store";
import type { Balance, Payer } from "./shared";

/** Balances of many payers of one kind with the ids of their wallets, by payer; payers without a wallet are missing. */
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

/** A person's or project's wallet and budgets go along to another organisation. Announced as a change of budgets. Safe to repeat. */
export async function reassignPayer(
  db: Db,
  payer: { kind: "user" | "project"; id: number; organisationId: number },
): Promise<void> {
  await movePayer(db, payer);
  await publish(db, "budgets", `${payer.kind}:${payer.id}`);
}

/**
 * The credit that stands in an organisation, in nano-USD: of every wallet in it, its own, its people's and its projects', the
 * limit, or what is used already where that is more. A wallet that was taken over counts with what is used. `except`: without
 * this wallet.
 */
export const readCreditGiven = (db: Db, organisationId: number, except: number | null = null): Promise<bigint> =>
  sumCredit(db, organisationId, except);
