import type { Db } from "~/connection/db.server";

/** Moves the rest of merged wallets to their successors and repays debts; returns the number of wallets. */
export const MOVE_TO_SUCCESSORS = "SELECT (wallet_sweep_heirs() + wallet_collect_debts())::text";

/** Returns the amount moved now; null when one of the wallets does not exist. */
export async function moveWallet(
  db: Db,
  wallets: { fromId: number; toId: number; withCredit: boolean; actor: string },
): Promise<bigint | null> {
  const { fromId, toId, withCredit, actor } = wallets;
  const [row] = await db.$queryRaw<{ moved: bigint | null }[]>`
    SELECT wallet_take_over(${fromId}::bigint, ${toId}::bigint, ${withCredit}, ${actor}) AS moved`;
  return row!.moved;
}

export async function moveBudgets(db: Db, toOrganisationId: number, fromIds: readonly number[]): Promise<void> {
  await db.$queryRaw`SELECT budget_take_over(${toOrganisationId}::int, ${[...fromIds]}::int[])::text`;
}

/** Moves the wallet and budgets of a person or project to another organisation. */
export async function movePayer(
  db: Db,
  payer: { kind: "user" | "project"; id: number; organisationId: number },
): Promise<void> {
  const { kind, id, organisationId } = payer;
  await db.$executeRaw`
    UPDATE budget SET organisation_id = ${organisationId}::int WHERE scope_kind = ${kind} AND scope_id = ${id}::int`;
  await db.$executeRaw`
    UPDATE ledger_account SET organisation_id = ${organisationId}::int WHERE payer_kind = ${kind} AND payer_id = ${id}::int`;
}

export type PayerBalanceRow = {
  payer_id: number;
  id: bigint;
  posted: bigint;
  held: bigint;
  credit_limit: bigint;
  exempt: boolean;
};

export function findBalances(db: Db, kind: string, ids: readonly number[]): Promise<PayerBalanceRow[]> {
  return db.$queryRaw<PayerBalanceRow[]>`
    SELECT a.payer_id, a.id, a.posted - u.charged AS posted, a.held - u.held AS held, a.credit_limit, a.exempt
      FROM ledger_account a CROSS JOIN LATERAL wallet_unposted(a.id) u
     WHERE a.kind = 'wallet' AND a.payer_kind = ${kind} AND a.payer_id = ANY (${[...ids]}::int[]) AND a.currency = 'USD'`;
}

/** Sums the credit granted. An exempt wallet may be negative without credit. */
export async function sumCredit(db: Db, organisationId: number, except: number | null): Promise<bigint> {
  const [row] = await db.$queryRaw<{ given: string }[]>`
    SELECT coalesce(sum(greatest(CASE WHEN heir_id IS NULL THEN credit_limit ELSE 0 END, CASE WHEN exempt THEN 0 ELSE held - posted - owed END)), 0)::text AS given
      FROM ledger_account
     WHERE kind = 'wallet' AND organisation_id = ${organisationId}::int AND id IS DISTINCT FROM ${except}::bigint`;
  return BigInt(row!.given);
}
