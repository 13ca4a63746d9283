import type { Db } from "~/connection/db.server";
import type { BudgetLimit, BudgetOwner, BudgetPeriod, BudgetScope, Parties, Payer } from "./shared";

/** The statements of the room's own connections. Each returns one text. */
export const ADMIT = "SELECT accounting_admit($1::asked_call[], $2::text, $3::interval)";

export const SETTLE = "SELECT accounting_settle($1::finished_call[], $2::jsonb, $3::text)";

/** `SETTLE` and `ADMIT` in one transaction: values of the first, then of the second; both answers, separated by `|`. */
export const SETTLE_AND_ADMIT =
  "SELECT accounting_settle_and_admit($1::finished_call[], $2::jsonb, $3::text, $4::asked_call[], $5::text, $6::interval)";

/** A lean turn: all calls fit and end as usual. `POST_LATER` writes the ledger and the usage rows. */
export const TURN =
  "SELECT accounting_turn($1::done_call[], $2::text, $3::text, $4::asked_call[], $5::boolean, $6::text[], $7::integer[], $8::text, $9::interval)";

/** Posts up to $1 turns after turn $2; returns the last one posted, the number left, the age of the oldest in milliseconds. */
export const POST_LATER = "SELECT accounting_post_later($1::int, $2::bigint)";

/** The next unposted turn after turn $1; empty when there is none. */
export const NEXT_UNPOSTED = "SELECT coalesce(min(id)::text, '') FROM unposted_turn WHERE id > $1::bigint";

/** The ids in $1 that have an open hold, comma-separated. */
export const OPEN_HOLDS = `SELECT coalesce(string_agg(id::text, ','), '') FROM hold WHERE id = ANY ($1::uuid[]) AND state IN ('reserved', 'dispatched')`;

export const RELEASE = "SELECT accounting_release($1::uuid[], $2::text[], $3::text)::text";

export const RELEASE_SPARES = "SELECT accounting_give_back($1::uuid[], $2::uuid[])::text";

export const TOUCH =
  "SELECT accounting_touch($1::uuid[], $2::int[], $3::int[], $4::bigint[], $5::text, $6::interval)::text";

/** Extends the leases of dispatched holds to $2 from now; returns the number of holds. */
export const KEEP = `WITH locked AS (
    SELECT id FROM hold WHERE id = ANY ($1::uuid[]) AND state = 'dispatched' ORDER BY id FOR NO KEY UPDATE
  ), kept AS (
    UPDATE hold h SET lease_until = greatest(h.lease_until, app_now() + $2::interval) FROM locked l WHERE h.id = l.id RETURNING 1)
  SELECT count(*)::text FROM kept`;

export const SWEEP = "SELECT accounting_sweep($1::int)";

/** Puts a dispatched hold into review before its lease expires, because the supplier's outcome is unknown. */
export const MARK_FOR_REVIEW = `WITH aside AS (
    UPDATE hold SET state = 'review', reason = $2::text WHERE id = $1::uuid AND state = 'dispatched' RETURNING 1)
  SELECT count(*)::text FROM aside`;

/**
 * Holds in review as JSON, with the cost at the last checkpoint where checkpoint and price are known.
 * $1: minimum milliseconds since the lease expired, of holds with such a cost; NULL: all holds. $2: one call; NULL: all.
 */
export const REVIEWS = `SELECT coalesce(json_agg(x), '[]')::text FROM (
    SELECT h.id AS "callId", h.organisation_id AS "organisationId", h.key_id AS "keyId", h.user_id AS "userId",
           h.department_id AS "departmentId", h.project_id AS "projectId", h.wallet_id AS "walletId", h.exempt,
           h.amount::text AS "amountNanoUsd", h.created_at AS "admittedAt", h.lease_until AS "leaseUntil", h.lease_owner AS "owner",
           coalesce(h.reason, '') AS reason, h.batch_id AS "batchId", h.ckpt_in AS "inputTokens", h.ckpt_out AS "outputTokens",
           coalesce(h.ckpt_price, h.price_version) AS "priceVersion", coalesce(r.model_id, '') AS model,
           coalesce(s.name, '') AS supplier, coalesce(s.region, '') AS region,
           (ceil((h.ckpt_in::numeric * p.input_per_mtok + h.ckpt_out::numeric * p.output_per_mtok) / 1000000) + p.per_request)::text
             AS "checkpointCostNanoUsd"
      FROM hold h
      LEFT JOIN price p ON p.id = coalesce(h.ckpt_price, h.price_version)
      LEFT JOIN model_route r ON r.id = p.route_id
      LEFT JOIN supplier s ON s.id = r.supplier_id
     WHERE h.state = 'review'
       AND ($1::bigint IS NULL OR (h.lease_until < app_now() - $1::bigint * interval '1 millisecond'
                                   AND h.ckpt_in IS NOT NULL AND h.ckpt_out IS NOT NULL AND p.id IS NOT NULL))
       AND ($2::uuid IS NULL OR h.id = $2::uuid)
     ORDER BY h.created_at LIMIT 500) x`;

export const HOLD_STATE = "SELECT coalesce((SELECT state FROM hold WHERE id = $1::uuid), '')";

/** Defects of the ledger as JSON; empty when it is sound. */
export const DEFECTS = "SELECT ledger_defects()";

// Operations of people, on the caller's transaction.

export async function insertWallet(db: Db, payer: Payer, exempt: boolean): Promise<number> {
  const [row] = await db.$queryRaw<{ id: bigint }[]>`
    SELECT wallet_open(${payer.kind}, ${payer.id}::int, ${payer.organisationId}::int, ${exempt}) AS id`;
  return Number(row!.id);
}

export async function findWallet(db: Db, payer: Omit<Payer, "organisationId">): Promise<number | null> {
  const [row] = await db.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM ledger_account WHERE kind = 'wallet' AND payer_kind = ${payer.kind} AND payer_id = ${payer.id}::int AND currency = 'USD'`;
  return row === undefined ? null : Number(row.id);
}

export type BalanceRow = { posted: bigint; held: bigint; credit_limit: bigint; exempt: boolean };

export async function findBalance(db: Db, walletId: number): Promise<BalanceRow | null> {
  const [row] = await db.$queryRaw<BalanceRow[]>`
    SELECT a.posted - u.charged AS posted, a.held - u.held AS held, a.credit_limit, a.exempt
      FROM ledger_account a CROSS JOIN LATERAL wallet_unposted(a.id) u WHERE a.id = ${walletId}::bigint AND a.kind = 'wallet'`;
  return row ?? null;
}

/** Posts between a wallet and an internal account. Returns the transaction's id; null: there is no such wallet. */
export async function postToWallet(
  db: Db,
  posting: {
    walletId: number;
    house: string;
    kind: string;
    amountNanoUsd: bigint;
    idempotencyKey: string;
    actor: string;
    memo: string;
  },
): Promise<bigint | null> {
  const { walletId, house, kind, amountNanoUsd, idempotencyKey, actor, memo } = posting;
  const [row] = await db.$queryRaw<{ id: bigint | null }[]>`
    SELECT wallet_post(w.id, ${house}, ${amountNanoUsd}::bigint, ${kind}, ${idempotencyKey}, ${actor}, ${memo}) AS id
      FROM ledger_account w WHERE w.id = ${walletId}::bigint AND w.kind = 'wallet'`;
  return row?.id ?? null;
}

export async function changeCreditLimit(db: Db, walletId: number, limitNanoUsd: bigint): Promise<boolean> {
  const [row] = await db.$queryRaw<{ found: boolean }[]>`
    SELECT wallet_set_credit_limit(${walletId}::bigint, ${limitNanoUsd}::bigint) AS found`;
  return row!.found;
}

/** `actor`: the person who decided, for the ledger. */
export type Exemption = { exempt: boolean; actor: string };

/** Returns whether the exemption changed; null: there is no such wallet. */
export async function changeExempt(db: Db, walletId: number, { exempt, actor }: Exemption): Promise<boolean | null> {
  const [row] = await db.$queryRaw<{ changed: boolean | null }[]>`
    SELECT wallet_mark_exempt(${walletId}::bigint, ${exempt}, ${actor}) AS changed`;
  return row!.changed;
}

/** Takes the lock of `budget_set`, until the transaction ends. */
export async function lockBudget(tx: Db, { kind, id }: BudgetOwner): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('budget:' || ${kind}::text), ${id}::int)`;
}

export async function putBudget(db: Db, scope: BudgetOwner, { limitNanoUsd, period }: BudgetLimit): Promise<void> {
  await db.$queryRaw`
    SELECT budget_set(${scope.organisationId}::int, ${scope.kind}, ${scope.id}::int, ${limitNanoUsd}::bigint, ${period})::text`;
}

export type BudgetRow = {
  scope_id: number;
  limit_amt: bigint | null;
  period: BudgetPeriod;
  spent: bigint;
  held: bigint;
  resets_at: Date;
};

export function findBudgets(db: Db, kind: BudgetScope, ids: readonly number[]): Promise<BudgetRow[]> {
  return db.$queryRaw<BudgetRow[]>`SELECT * FROM budget_read(${kind}, ${[...ids]}::int[])`;
}

export async function existsLimit(db: Db, parties: Omit<Parties, "walletId" | "exempt">): Promise<boolean> {
  const { keyId, userId, departmentId, projectId, organisationId } = parties;
  const [row] = await db.$queryRaw<{ limited: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM (VALUES ('key', ${keyId}::int), ('user', ${userId}::int), ('department', ${departmentId}::int),
                          ('project', ${projectId}::int), ('organisation', ${organisationId}::int)) s(kind, id)
        JOIN budget b ON b.scope_kind = s.kind AND b.scope_id = s.id AND b.active
       WHERE b.limit_amt IS NOT NULL) AS limited`;
  return row!.limited;
}
