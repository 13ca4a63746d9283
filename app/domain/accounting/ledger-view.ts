import type { Db } from "~/db.server";

/** One line of a wallet's ledger. Amounts are nano-USD; `seq` counts a wallet's lines without gaps. */
export type StatementLine = {
  seq: bigint;
  at: Date;
  kind: string;
  amountNanoUsd: bigint;
  balanceAfterNanoUsd: bigint;
  memo: string | null;
  /** Who posted it: `processor`, `user:<id>`, or a part of gw. */
  actor: string;
};

/** A wallet's ledger, newest first; `before`: the last line of the page before. */
export function readStatement(
  db: Db,
  walletId: number,
  page: { before: bigint | null; limit: number },
): Promise<StatementLine[]> {
  return db.$queryRaw`
    SELECT e.account_seq AS seq, t.created_at AS at, t.kind, e.amount AS "amountNanoUsd", e.balance_after AS "balanceAfterNanoUsd",
           t.memo, t.actor
      FROM ledger_entry e JOIN ledger_txn t ON t.id = e.txn_id
     WHERE e.account_id = ${walletId}::bigint AND (${page.before}::bigint IS NULL OR e.account_seq < ${page.before}::bigint)
     ORDER BY e.account_seq DESC LIMIT ${page.limit}::int`;
}

/** What a wallet's payer owes for money that went back after it was spent; nano-USD, zero or more. */
export async function readDebt(db: Db, walletId: number): Promise<bigint> {
  const [row] = await db.$queryRaw<{ owed: bigint }[]>`
    SELECT -r.posted AS owed FROM ledger_account w
      JOIN ledger_account r ON r.kind = 'receivable' AND r.payer_kind = w.payer_kind AND r.payer_id = w.payer_id
     WHERE w.id = ${walletId}::bigint`;
  return row?.owed ?? 0n;
}
