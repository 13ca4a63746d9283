import type { Db, Reads } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { LedgerFilter, LedgerLine } from "../shared";

type Page = { before: bigint | null; limit: number; filter?: LedgerFilter };

/**
 * Returns lines of a wallet's ledger, newest first; `before`: the last line of the previous page. The ledger stores the balance with
 * each line, so every page of a million lines costs the same.
 */
export function readLedger(
  db: Reads,
  walletId: number,
  { before, limit, filter = {} }: Page,
): PromiseLike<LedgerLine[]> {
  const { kind, since, until, minimumNanoUsd } = filter;
  const wallet = Prisma.sql`${walletId}::bigint`;
  const conditions = [Prisma.sql`e.account_id = ${wallet}`];
  if (before !== null) conditions.push(Prisma.sql`e.account_seq < ${before}::bigint`);
  if (since) conditions.push(Prisma.sql`e.account_seq > (SELECT ledger_seq_before(${wallet}, ${since}::timestamptz))`);
  if (until) conditions.push(Prisma.sql`e.account_seq <= (SELECT ledger_seq_before(${wallet}, ${until}::timestamptz))`);
  if (minimumNanoUsd) conditions.push(Prisma.sql`abs(e.amount) >= ${minimumNanoUsd}::bigint`);
  if (kind) conditions.push(Prisma.sql`t.kind = ${kind}`);
  // Rare kinds have an index of their own; all others are read along the wallet's lines. A wallet's transaction ids rise with its
  // lines, so both orders are the same.
  const isRare = kind !== undefined && kind !== "usage";
  if (isRare) conditions.push(Prisma.sql`t.kind <> 'usage'`);
  const order = isRare ? Prisma.sql`t.id DESC` : Prisma.sql`e.account_seq DESC`;
  return db.$queryRaw`
    SELECT x.*, u.request_id::text AS "requestId"
      FROM (SELECT e.account_seq AS seq, t.created_at AS at, t.kind, e.amount AS "amountNanoUsd", e.balance_after AS "balanceAfterNanoUsd",
                   t.memo, t.actor, substring(t.idem_key FROM '^(?:topup|refund):([0-9a-f-]{36})') AS "paymentId",
                   substring(t.idem_key FROM '^usage:([0-9a-f-]{36})$')::uuid AS call
              FROM ledger_entry e JOIN ledger_txn t ON t.id = e.txn_id
             WHERE ${Prisma.join(conditions, " AND ")} ORDER BY ${order} LIMIT ${limit}::int) x
      LEFT JOIN usage_event u ON u.request_id = x.call AND u.charged = -x."amountNanoUsd"
     ORDER BY x.seq DESC`;
}

/** Returns the debt of a wallet's payer for money that was taken back after it was spent; nano-USD, at least 0. */
export async function readDebt(db: Db, walletId: number): Promise<bigint> {
  const [row] = await db.$queryRaw<{ owed: bigint }[]>`
    SELECT -r.posted AS owed FROM ledger_account w
      JOIN ledger_account r ON r.kind = 'receivable' AND r.payer_kind = w.payer_kind AND r.payer_id = w.payer_id
     WHERE w.id = ${walletId}::bigint`;
  return row?.owed ?? 0n;
}

/** Returns the time of a wallet's first line; null: it has none. */
export async function readFirstPosting(db: Db, walletId: number): Promise<Date | null> {
  const [row] = await db.$queryRaw<{ at: Date }[]>`
    SELECT t.created_at AS at FROM ledger_entry e JOIN ledger_txn t ON t.id = e.txn_id
     WHERE e.account_id = ${walletId}::bigint AND e.account_seq = 1`;
  return row?.at ?? null;
}

/**
 * Returns the nano-USD of usage charged to a wallet between each two consecutive moments: the change of its balance minus all other
 * entries, so that no usage entry is read. Returns one amount fewer than `moments`, which must be ascending.
 */
export async function readSpending(db: Db, walletId: number, moments: readonly Date[]): Promise<bigint[]> {
  const wallet = Prisma.sql`${walletId}::bigint`;
  const rows = await db.$queryRaw<{ spent: bigint }[]>`
    WITH edge AS MATERIALIZED (
      SELECT m.n, ledger_seq_before(${wallet}, m.at) AS seq FROM unnest(${[...moments]}::timestamptz[]) WITH ORDINALITY m(at, n)
    ), place AS MATERIALIZED (
      SELECT d.n, d.seq, coalesce(e.txn_id, 0) AS txn_id, coalesce(e.balance_after, 0) AS balance
        FROM edge d LEFT JOIN ledger_entry e ON e.account_id = ${wallet} AND e.account_seq = d.seq
    ), other AS MATERIALIZED (
      SELECT e.account_seq AS seq, e.amount FROM ledger_txn t JOIN ledger_entry e ON e.txn_id = t.id AND e.account_id = ${wallet}
       WHERE t.kind <> 'usage' AND t.id > (SELECT min(txn_id) FROM place)
    )
    SELECT (a.balance - b.balance + coalesce((SELECT sum(amount) FROM other o WHERE o.seq > a.seq AND o.seq <= b.seq), 0))::bigint AS spent
      FROM place a JOIN place b ON b.n = a.n + 1 ORDER BY a.n`;
  return rows.map(({ spent }) => spent);
}

/** Returns the wallets of an organisation and of its projects after a given id, in the order of their ids. */
export async function findWalletsOf(
  db: Db,
  organisationId: number,
  page: { afterId: number; limit: number },
): Promise<{ id: number; kind: "organisation" | "project"; payerId: number }[]> {
  return db.$queryRaw`
    SELECT id::integer AS id, payer_kind AS kind, payer_id::integer AS "payerId" FROM ledger_account
     WHERE kind = 'wallet' AND organisation_id = ${organisationId}::integer AND payer_kind IN ('organisation', 'project')
       AND heir_id IS NULL AND id > ${page.afterId}::bigint ORDER BY id LIMIT ${page.limit}::integer`;
}
