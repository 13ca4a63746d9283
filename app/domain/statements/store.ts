import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { EntryRequest, Movement, StatementPayment, UsageLine } from "./shared";

/** Returns the start of a month and of the next one in a time zone. */
export async function findBounds(
  db: Db,
  month: string,
  timeZone: string,
): Promise<{ from: Date; to: Date; now: Date }> {
  const [row] = await db.$queryRaw<{ from: Date; to: Date; now: Date }[]>`
    SELECT x.first AT TIME ZONE ${timeZone} AS "from", (x.first + interval '1 month') AT TIME ZONE ${timeZone} AS "to", app_now() AS now
      FROM (SELECT ${`${month}-01`}::date::timestamp AS first) x`;
  return row!;
}

/** Returns the last entry before a time with its stored balance; zeros before the first entry. */
export async function findPosition(db: Db, walletId: number, before: Date): Promise<{ seq: bigint; balance: bigint }> {
  const [row] = await db.$queryRaw<{ seq: bigint; balance: bigint }[]>`
    SELECT account_seq AS seq, balance_after AS balance FROM ledger_entry
     WHERE account_id = ${walletId}::bigint AND account_seq = (SELECT ledger_seq_before(${walletId}::bigint, ${before}::timestamptz))`;
  return row ?? { seq: 0n, balance: 0n };
}

export type Range = { walletId: number; after: bigint; upTo: bigint };

const inRange = ({ walletId, after, upTo }: Range) =>
  Prisma.sql`e.account_id = ${walletId}::bigint AND e.account_seq > ${after}::bigint AND e.account_seq <= ${upTo}::bigint`;

export const sumMovements = (db: Db, range: Range): Promise<Movement[]> => db.$queryRaw`
  SELECT t.kind, count(*)::int AS count, sum(e.amount)::bigint AS "amountNanoUsd" FROM ledger_entry e JOIN ledger_txn t ON t.id = e.txn_id
   WHERE ${inRange(range)} GROUP BY t.kind ORDER BY t.kind = 'usage', min(e.account_seq)`;

export const findPayments = (db: Db, range: Range): Promise<StatementPayment[]> => db.$queryRaw`
  SELECT p.id::text AS id, p.paid_at AS "paidAt", p.amount AS "creditNanoUsd", p.fee AS "feeNanoUsd",
         p.charged_cents * 10000000 AS "chargedNanoUsd"
    FROM ledger_entry e JOIN payment p ON p.credited_txn = e.txn_id WHERE ${inRange(range)} ORDER BY p.paid_at`;

type UsageRow = UsageLine & { of: "model" | "key" | "day" };

/** Returns the usage of a wallet's entries by model, by key and by day of posting; for requests since a time, or all. */
export const sumUsage = (db: Db, range: Range, more: { timeZone: string; since: Date | null }): Promise<UsageRow[]> =>
  db.$queryRaw`
  SELECT CASE WHEN grouping(x.model) = 0 THEN 'model' WHEN grouping(x.key) = 0 THEN 'key' ELSE 'day' END AS "of",
         coalesce(x.model, x.key, x.day) AS name, count(*)::int AS requests, sum(x.charged)::bigint AS "chargedNanoUsd"
    FROM (SELECT u.model, coalesce(k.name, '') || ' #' || u.key_id AS key,
                 to_char(t.created_at AT TIME ZONE ${more.timeZone}, 'YYYY-MM-DD') AS day, u.charged
            FROM ledger_entry e JOIN ledger_txn t ON t.id = e.txn_id AND t.kind = 'usage'
            JOIN usage_event u ON u.txn_id = t.id LEFT JOIN api_key k ON k.id = u.key_id
           WHERE ${inRange(range)} AND (${more.since}::timestamptz IS NULL OR u.started_at >= ${more.since}::timestamptz)) x
   GROUP BY GROUPING SETS ((x.model), (x.key), (x.day)) ORDER BY 1, 2`;

/** Returns the transaction id of an entry. */
export async function findTransaction(db: Db, walletId: number, seq: bigint): Promise<bigint> {
  const [row] = await db.$queryRaw<{ id: bigint }[]>`
    SELECT txn_id AS id FROM ledger_entry WHERE account_id = ${walletId}::bigint AND account_seq = ${seq}::bigint`;
  return row!.id;
}

/** Returns the name of a person in an organisation; null: none. */
export async function findPerson(db: Db, organisationId: number, id: number): Promise<string | null> {
  const row = await db.user.findFirst({ where: { id, organisationId }, select: { name: true, email: true } });
  return row && (row.name || row.email);
}

/** Returns the requests of a usage transaction with their holds; those since a time, or all. */
export const findRequests = (
  db: Db,
  transaction: bigint,
  { since, limit }: { since: Date | null; limit: number },
): Promise<(EntryRequest & { count: number; total: bigint })[]> => db.$queryRaw`
  SELECT u.request_id::text AS "requestId", u.started_at AS "startedAt", u.model, coalesce(k.name, '') AS key,
         h.amount AS "heldNanoUsd", h.captured AS "capturedNanoUsd", u.charged AS "chargedNanoUsd",
         count(*) OVER ()::int AS count, sum(u.charged) OVER ()::bigint AS total
    FROM usage_event u LEFT JOIN hold h ON h.id = u.request_id LEFT JOIN api_key k ON k.id = u.key_id
   WHERE u.txn_id = ${transaction}::bigint AND (${since}::timestamptz IS NULL OR u.started_at >= ${since}::timestamptz)
   ORDER BY u.started_at, u.request_id LIMIT ${limit}::int`;

/** Returns the time zone chosen by a payer; null: none. */
export async function findTimeZone(db: Db, payer: { kind: string; id: number }): Promise<string | null> {
  if (payer.kind !== "user") return null;
  return (await db.user.findUnique({ where: { id: payer.id }, select: { timeZone: true } }))?.timeZone ?? null;
}
