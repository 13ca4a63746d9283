import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { RefundFacts } from "./events/event-facts";
import type { PaymentState } from "./shared";

/** The row of a payment; amounts are nano-USD unless named cents. */
export type PaymentRow = {
  id: string;
  userId: number;
  livemode: boolean;
  amount: bigint;
  /** The requested amount; it differs from `amount` only if the checkout was paid with a different amount. */
  askedAmount: bigint;
  fee: bigint;
  subtotalCents: bigint;
  chargedCents: bigint | null;
  reversed: bigint;
  sessionId: string | null;
  intentId: string | null;
  state: PaymentState;
  credited: boolean;
  createdAt: Date;
  paidAt: Date | null;
  card: string | null;
  receiptUrl: string | null;
};

export type NewPayment = {
  id: string;
  walletId: number;
  organisationId: number;
  userId: number;
  idempotencyKey: string | null;
  livemode: boolean;
  amount: bigint;
  fee: bigint;
  subtotalCents: number;
};

const COLUMNS = Prisma.sql`id::text AS id, user_id AS "userId", livemode, amount, coalesce(asked_amount, amount) AS "askedAmount", fee,
  subtotal_cents AS "subtotalCents",
  charged_cents AS "chargedCents", reversed, session_id AS "sessionId", intent_id AS "intentId", state, credited_txn IS NOT NULL AS credited,
  created_at AS "createdAt", paid_at AS "paidAt", card, receipt_url AS "receiptUrl"`;

/**
 * Inserts a payment before the processor is called. For an idempotency key that the person has used before, returns the
 * earlier payment.
 */
export async function insertPayment(db: Db, payment: NewPayment): Promise<PaymentRow> {
  const { id, walletId, organisationId, userId, idempotencyKey, livemode, amount, fee, subtotalCents } = payment;
  await db.$executeRaw`
    INSERT INTO payment (id, wallet_id, organisation_id, user_id, idem_key, livemode, amount, fee, subtotal_cents)
    VALUES (${id}::uuid, ${walletId}::bigint, ${organisationId}::int, ${userId}::int, ${idempotencyKey}, ${livemode},
            ${amount}::bigint, ${fee}::bigint, ${subtotalCents}::bigint)
    ON CONFLICT (user_id, idem_key) DO NOTHING`;
  const ownFilter =
    idempotencyKey === null
      ? Prisma.sql`id = ${id}::uuid`
      : Prisma.sql`user_id = ${userId}::int AND idem_key = ${idempotencyKey}`;
  const [row] = await db.$queryRaw<PaymentRow[]>`SELECT ${COLUMNS} FROM payment WHERE ${ownFilter}`;
  return row!;
}

/** Records the checkout session of a payment that has not ended; the first session counts. */
export async function openPayment(db: Db, id: string, sessionId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE payment SET session_id = coalesce(session_id, ${sessionId}), state = CASE state WHEN 'created' THEN 'open' ELSE state END
     WHERE id = ${id}::uuid`;
}

/** Returns a person's own payment. */
export async function findPayment(db: Db, userId: number, id: string): Promise<PaymentRow | null> {
  const [row] = await db.$queryRaw<PaymentRow[]>`
    SELECT ${COLUMNS} FROM payment WHERE id = ${id}::uuid AND user_id = ${userId}::int`;
  return row ?? null;
}

export async function findPaymentById(db: Db, id: string): Promise<PaymentRow | null> {
  const [row] = await db.$queryRaw<PaymentRow[]>`SELECT ${COLUMNS} FROM payment WHERE id = ${id}::uuid`;
  return row ?? null;
}

/** Returns a payment, locked until the transaction ends. */
export async function lockPayment(tx: Db, by: { id: string } | { intentId: string }): Promise<PaymentRow | null> {
  const condition = "id" in by ? Prisma.sql`id = ${by.id}::uuid` : Prisma.sql`intent_id = ${by.intentId}`;
  const [row] = await tx.$queryRaw<PaymentRow[]>`
    SELECT ${COLUMNS} FROM payment WHERE ${condition} FOR NO KEY UPDATE`;
  return row ?? null;
}

export type SessionResult = {
  sessionId: string;
  state: PaymentState;
  chargedCents: number | null;
  intentId: string | null;
};

/**
 * Records the result of a checkout. Paid is final and overrides any earlier state; no other result replaces an earlier
 * one.
 */
export async function markSession(tx: Db, id: string, result: SessionResult): Promise<void> {
  const { sessionId, state, chargedCents, intentId } = result;
  await tx.$executeRaw`
    UPDATE payment SET session_id = coalesce(session_id, ${sessionId}), intent_id = coalesce(intent_id, ${intentId}),
           state = ${state}, charged_cents = CASE ${state} WHEN 'paid' THEN ${chargedCents}::bigint END,
           paid_at = CASE ${state} WHEN 'paid' THEN app_now() END
     WHERE id = ${id}::uuid AND state <> 'paid' AND (${state} = 'paid' OR state IN ('created', 'open', 'pending'))`;
}

/**
 * Records the total that a charge reports as refunded; the largest reported sum counts, less refunds that are known to
 * have failed.
 */
export async function markRefunded(tx: Db, id: string, cents: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE payment SET refunded_cents = greatest(refunded_cents, ${cents}::bigint) WHERE id = ${id}::uuid`;
}

export async function markFailure(tx: Db, id: string, failure: string): Promise<void> {
  await tx.$executeRaw`UPDATE payment SET failure = ${failure} WHERE id = ${id}::uuid`;
}

export async function markReceipt(
  tx: Db,
  id: string,
  receipt: { card: string | null; receiptUrl: string | null },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE payment SET card = coalesce(${receipt.card}, card), receipt_url = coalesce(${receipt.receiptUrl}, receipt_url)
     WHERE id = ${id}::uuid`;
}

/** Records a refund of a payment; a failed refund remains failed, even if older events arrive later. */
export async function putRefund(tx: Db, { refundId, cents, failed }: RefundFacts, paymentId: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO payment_refund (id, payment_id, cents, failed) VALUES (${refundId}, ${paymentId}::uuid, ${cents}::bigint, ${failed})
    ON CONFLICT (id) DO UPDATE SET failed = payment_refund.failed OR excluded.failed`;
}

/** Records a dispute of a payment; a dispute that was won or lost remains so. */
export async function putDispute(
  tx: Db,
  dispute: { id: string; paymentId: string; cents: number; state: "open" | "lost" | "won" },
): Promise<void> {
  const { id, paymentId, cents, state } = dispute;
  await tx.$executeRaw`
    INSERT INTO payment_dispute (id, payment_id, cents, state) VALUES (${id}, ${paymentId}::uuid, ${cents}::bigint, ${state})
    ON CONFLICT (id) DO UPDATE SET cents = greatest(payment_dispute.cents, excluded.cents),
      state = CASE WHEN payment_dispute.state = 'open' OR excluded.state = 'won' THEN excluded.state ELSE payment_dispute.state END`;
}

/** Brings the ledger in line with the facts of a payment. Safe to repeat; returns whether anything was posted. */
export async function reconcilePayment(tx: Db, id: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ posted: boolean }[]>`SELECT payment_reconcile(${id}::uuid) AS posted`;
  return row!.posted;
}

/** Returns the payments of a person and of a wallet, newest first; `before`: the last one of the previous page. */
export function listPaymentRows(
  db: Db,
  scope: { userId: number; walletId: number | null },
  page: { before: string | null; limit: number },
): Promise<PaymentRow[]> {
  const visible = Prisma.sql`(user_id = ${scope.userId}::int OR wallet_id = ${scope.walletId}::bigint)`;
  const after =
    page.before === null
      ? Prisma.sql`true`
      : Prisma.sql`(created_at, id) < (SELECT created_at, id FROM payment WHERE id = ${page.before}::uuid AND ${visible})`;
  return db.$queryRaw`
    SELECT ${COLUMNS} FROM payment WHERE ${visible} AND ${after} ORDER BY created_at DESC, id DESC LIMIT ${page.limit}::int`;
}

/**
 * Claims payments for a look-up: those whose checkout should have ended without a known result, those for which the
 * processor may have opened a checkout, and paid ones without a receipt. Old payments are looked up less and less
 * often, and never delay newer ones.
 */
export function takeUnsettled(
  db: Db,
  { livemode, limit }: { livemode: boolean; limit: number },
): Promise<PaymentRow[]> {
  return db.$queryRaw`
    UPDATE payment SET looked_up_at = app_now() WHERE id IN (
      SELECT id FROM payment
       WHERE ((state IN ('created', 'open', 'pending') AND created_at BETWEEN app_now() - interval '1 year' AND app_now() - interval '5 minutes')
              OR (state = 'paid' AND receipt_url IS NULL AND created_at > app_now() - interval '10 days'))
         AND livemode = ${livemode}
         AND (looked_up_at IS NULL
              OR looked_up_at < app_now() - least(interval '1 day', greatest(interval '15 minutes', (app_now() - created_at) / 20)))
         -- A charge without a checkout is looked up by its own job.
         AND (session_id IS NOT NULL OR NOT EXISTS (SELECT FROM auto_topup_operation o WHERE o.id = payment.id))
       ORDER BY looked_up_at NULLS FIRST, created_at LIMIT ${limit}::int FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING ${COLUMNS}`;
}

/** Expires a payment without a checkout, once the processor can no longer open one for it. */
export async function expireUnopened(db: Db, id: string): Promise<void> {
  await db.$executeRaw`
    UPDATE payment SET state = 'expired'
     WHERE id = ${id}::uuid AND state = 'created' AND session_id IS NULL AND created_at < app_now() - interval '2 days'`;
}
