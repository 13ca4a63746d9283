import type { Db } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { RefundFacts } from "./event-facts";
import type { PaymentState } from "./shared";

/** A payment as its row has it; amounts are nano-USD unless they say cents. */
export type PaymentRow = {
  id: string;
  userId: number;
  livemode: boolean;
  amount: bigint;
  /** What was asked for: another amount only where the checkout was paid with one. */
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

/** Writes a payment down before the processor is asked. Of a key that the person has used before, answers that payment. */
export async function insertPayment(db: Db, payment: NewPayment): Promise<PaymentRow> {
  const { id, walletId, organisationId, userId, idempotencyKey, livemode, amount, fee, subtotalCents } = payment;
  await db.$executeRaw`
    INSERT INTO payment (id, wallet_id, organisation_id, user_id, idem_key, livemode, amount, fee, subtotal_cents)
    VALUES (${id}::uuid, ${walletId}::bigint, ${organisationId}::int, ${userId}::int, ${idempotencyKey}, ${livemode},
            ${amount}::bigint, ${fee}::bigint, ${subtotalCents}::bigint)
    ON CONFLICT (user_id, idem_key) DO NOTHING`;
  const mine =
    idempotencyKey === null
      ? Prisma.sql`id = ${id}::uuid`
      : Prisma.sql`user_id = ${userId}::int AND idem_key = ${idempotencyKey}`;
  const [row] = await db.$queryRaw<PaymentRow[]>`SELECT ${COLUMNS} FROM payment WHERE ${mine}`;
  return row!;
}

/** Notes the checkout session of a payment that is not over; the first one counts. */
export async function openPayment(db: Db, id: string, sessionId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE payment SET session_id = coalesce(session_id, ${sessionId}), state = CASE state WHEN 'created' THEN 'open' ELSE state END
     WHERE id = ${id}::uuid`;
}

/** A person's own payment. */
export async function findPayment(db: Db, userId: number, id: string): Promise<PaymentRow | null> {
  const [row] = await db.$queryRaw<PaymentRow[]>`
    SELECT ${COLUMNS} FROM payment WHERE id = ${id}::uuid AND user_id = ${userId}::int`;
  return row ?? null;
}

export async function findPaymentById(db: Db, id: string): Promise<PaymentRow | null> {
  const [row] = await db.$queryRaw<PaymentRow[]>`SELECT ${COLUMNS} FROM payment WHERE id = ${id}::uuid`;
  return row ?? null;
}

/** Keeps a payment as it is until the transaction ends. */
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

/** Notes how a checkout ended. Paid is final, and it counts whatever came before; nothing else replaces an end. */
export async function markSession(tx: Db, id: string, result: SessionResult): Promise<void> {
  const { sessionId, state, chargedCents, intentId } = result;
  await tx.$executeRaw`
    UPDATE payment SET session_id = coalesce(session_id, ${sessionId}), intent_id = coalesce(intent_id, ${intentId}),
           state = ${state}, charged_cents = CASE ${state} WHEN 'paid' THEN ${chargedCents}::bigint END,
           paid_at = CASE ${state} WHEN 'paid' THEN app_now() END
     WHERE id = ${id}::uuid AND state <> 'paid' AND (${state} = 'paid' OR state IN ('created', 'open', 'pending'))`;
}

/** Notes how much a charge says has been refunded altogether; the largest sum that was told counts, less what is known to have failed. */
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

/** Notes a refund of a payment; one that has failed stays so, whatever older news say. */
export async function putRefund(tx: Db, { refundId, cents, failed }: RefundFacts, paymentId: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO payment_refund (id, payment_id, cents, failed) VALUES (${refundId}, ${paymentId}::uuid, ${cents}::bigint, ${failed})
    ON CONFLICT (id) DO UPDATE SET failed = payment_refund.failed OR excluded.failed`;
}

/** Notes a dispute of a payment; one that was won or lost stays so. */
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

/** Moves the ledger to what is known of a payment. Safe to repeat; answers whether anything was posted. */
export async function reconcilePayment(tx: Db, id: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ posted: boolean }[]>`SELECT payment_reconcile(${id}::uuid) AS posted`;
  return row!.posted;
}

/** The payments of a person and of a wallet, newest first; `before`: the last one of the page before. */
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
 * Payments whose checkout should have ended by now and nobody has said how, those of which nobody knows whether the processor
 * has opened a checkout, and paid ones without a receipt; locked in time.
 */
export function takeUnsettled(db: Db, limit: number): Promise<PaymentRow[]> {
  return db.$queryRaw`
    UPDATE payment SET looked_up_at = app_now() WHERE id IN (
      SELECT id FROM payment
       WHERE created_at > app_now() - interval '10 days'
         AND ((state IN ('created', 'open', 'pending') AND created_at < app_now() - interval '5 minutes') OR (state = 'paid' AND receipt_url IS NULL))
         AND (looked_up_at IS NULL OR looked_up_at < app_now() - interval '15 minutes')
         -- A charge without a checkout is looked up by its own job.
         AND (session_id IS NOT NULL OR NOT EXISTS (SELECT FROM auto_topup_operation o WHERE o.id = payment.id))
       ORDER BY created_at LIMIT ${limit}::int FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING ${COLUMNS}`;
}

/** Ends a payment for which the processor has opened no checkout, once it cannot do so any more for what it was asked. */
export async function expireUnopened(db: Db, id: string): Promise<void> {
  await db.$executeRaw`
    UPDATE payment SET state = 'expired'
     WHERE id = ${id}::uuid AND state = 'created' AND session_id IS NULL AND created_at < app_now() - interval '2 days'`;
}
