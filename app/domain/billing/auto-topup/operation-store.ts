import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { AutoTopupOperationView, AutoTopupPauseReason, AutoTopupState, OpenAutoTopup } from "../shared";

/** The row of a charge. */
export type OperationRow = {
  id: string;
  walletId: number;
  userId: number;
  customerId: string;
  methodId: string;
  state: AutoTopupState;
  intentId: string | null;
  sessionId: string | null;
  subtotalCents: bigint;
  submittedAt: Date | null;
};

const OPEN = Prisma.sql`('created', 'submitted', 'unknown', 'requires_action')`;
const COLUMNS = Prisma.sql`o.id::text AS id, o.wallet_id::int AS "walletId", o.user_id AS "userId", o.customer_id AS "customerId",
  o.method_id AS "methodId", o.state, o.intent_id AS "intentId", p.session_id AS "sessionId", p.subtotal_cents AS "subtotalCents",
  o.submitted_at AS "submittedAt"`;

export type NewOperation = {
  id: string;
  walletId: number;
  settingId: bigint;
  userId: number;
  customerId: string;
  methodId: string;
  availableNanoUsd: bigint;
};

/** Inserts a charge with its payment, before the processor is called. The wallet has no other open charge. */
export async function insertOperation(tx: Db, operation: NewOperation): Promise<void> {
  const { id, walletId, settingId, userId, customerId, methodId, availableNanoUsd } = operation;
  await tx.$executeRaw`
    INSERT INTO auto_topup_operation (id, wallet_id, setting_id, user_id, customer_id, method_id, available)
    VALUES (${id}::uuid, ${walletId}::bigint, ${settingId}::bigint, ${userId}::int, ${customerId}, ${methodId}, ${availableNanoUsd}::bigint)`;
}

export async function findOperation(db: Db, id: string): Promise<OperationRow | null> {
  const [row] = await db.$queryRaw<OperationRow[]>`
    SELECT ${COLUMNS} FROM auto_topup_operation o JOIN payment p ON p.id = o.id WHERE o.id = ${id}::uuid`;
  return row ?? null;
}

/**
 * Claims a charge for sending to the processor: of any number of callers one gets it, once. A charge that has waited
 * for more than two minutes is cancelled instead, because its reasons may no longer apply.
 */
export async function claimOperation(tx: Db, id: string): Promise<OperationRow | null> {
  await lockWalletOf(tx, id);
  const [row] = await tx.$queryRaw<{ state: AutoTopupState }[]>`
    UPDATE auto_topup_operation SET
           state = CASE WHEN created_at < app_now() - interval '2 minutes' THEN 'cancelled' ELSE 'submitted' END,
           ended_at = CASE WHEN created_at < app_now() - interval '2 minutes' THEN app_now() END,
           submitted_at = CASE WHEN created_at < app_now() - interval '2 minutes' THEN NULL ELSE app_now() END,
           next_look_at = app_now() + interval '15 seconds'
     WHERE id = ${id}::uuid AND state = 'created' RETURNING state`;
  if (row === undefined) return null;
  const isClaimed = row.state === "submitted";
  await tx.$executeRaw`
    UPDATE payment SET state = ${isClaimed ? "pending" : "expired"} WHERE id = ${id}::uuid AND state = 'created'`;
  if (!isClaimed) return null;
  const operation = await findOperation(tx, id);
  await tx.$executeRaw`
    UPDATE auto_topup SET last_attempt_at = app_now() WHERE wallet_id = ${operation?.walletId ?? 0}::bigint`;
  return operation;
}

/** Locks the auto top-up of a charge's wallet until the transaction ends. Call it before any change of the charge. */
export async function lockWalletOf(tx: Db, id: string): Promise<void> {
  await tx.$queryRaw`
    SELECT a.wallet_id FROM auto_topup a JOIN auto_topup_operation o ON o.wallet_id = a.wallet_id
     WHERE o.id = ${id}::uuid FOR NO KEY UPDATE OF a`;
}

/** Cancels charges that were not sent to the processor: of one wallet, or all (null). */
export async function cancelCreated(tx: Db, walletId: number | null): Promise<void> {
  await tx.$executeRaw`
    WITH gone AS (
      UPDATE auto_topup_operation SET state = 'cancelled', ended_at = app_now()
       WHERE state = 'created' AND (${walletId}::bigint IS NULL OR wallet_id = ${walletId}::bigint) RETURNING id)
    UPDATE payment SET state = 'expired' FROM gone WHERE payment.id = gone.id AND payment.state = 'created'`;
}

/** Records that the outcome of a charge is unknown. */
export async function markUnknown(db: Db, id: string): Promise<void> {
  await db.$executeRaw`UPDATE auto_topup_operation SET state = 'unknown' WHERE id = ${id}::uuid AND state = 'submitted'`;
}

/** Records that the bank requires a confirmation of this payment intent. */
export async function markRequiresAction(tx: Db, id: string, intentId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE auto_topup_operation SET state = 'requires_action', intent_id = coalesce(intent_id, ${intentId}), next_look_at = app_now()
     WHERE id = ${id}::uuid AND state IN ('submitted', 'unknown')`;
}

/** Records the page on which the owner confirms. The owner is notified of it. */
export async function markActionUrl(tx: Db, id: string, actionUrl: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE auto_topup_operation SET action_url = ${actionUrl}, tell = 'confirm'
     WHERE id = ${id}::uuid AND state = 'requires_action' AND action_url IS NULL`;
}

/** Ends a charge; returns false when it has ended already. A success overrides an earlier failure. */
export async function markEnded(
  tx: Db,
  id: string,
  end: { state: "succeeded" | "failed"; intentId: string | null; failure: string | null; tell: "declined" | null },
): Promise<boolean> {
  const { state, intentId, failure, tell } = end;
  const from = state === "succeeded" ? Prisma.sql`state <> 'succeeded'` : Prisma.sql`state IN ${OPEN}`;
  const changed = await tx.$executeRaw`
    UPDATE auto_topup_operation SET state = ${state}, intent_id = coalesce(intent_id, ${intentId}), failure = ${failure}, tell = ${tell},
           ended_at = app_now() WHERE id = ${id}::uuid AND ${from}`;
  return changed > 0;
}

/** Records that the processor has taken the money. */
export async function markPaid(
  tx: Db,
  id: string,
  paid: { intentId: string; chargedCents: number; card: string | null; receiptUrl: string | null },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE payment SET state = 'paid', intent_id = ${paid.intentId}, charged_cents = ${paid.chargedCents}::bigint, paid_at = app_now(),
           card = ${paid.card}, receipt_url = ${paid.receiptUrl}
     WHERE id = ${id}::uuid AND state <> 'paid'`;
}

export async function markPaymentFailed(tx: Db, id: string, failure: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE payment SET state = 'failed', failure = ${failure} WHERE id = ${id}::uuid AND state IN ('created', 'open', 'pending')`;
}

/** Returns charges that were recorded but not sent, oldest first. */
export async function listCreated(db: Db, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id::text AS id FROM auto_topup_operation WHERE state = 'created' ORDER BY created_at LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

/**
 * Claims charges that are due for a look-up. Other callers do not get them for a while, which grows with each look-up.
 */
export function takeOpen(db: Db, limit: number): Promise<OperationRow[]> {
  return db.$queryRaw`
    WITH due AS (
      SELECT id FROM auto_topup_operation
       WHERE state IN ('submitted', 'unknown', 'requires_action') AND next_look_at <= app_now()
       ORDER BY next_look_at LIMIT ${limit}::int FOR NO KEY UPDATE SKIP LOCKED), taken AS (
      UPDATE auto_topup_operation SET looks = looks + 1,
             next_look_at = app_now() + least(interval '10 minutes', interval '15 seconds' * power(2, least(looks, 10)))
       WHERE id IN (SELECT id FROM due) RETURNING *)
    SELECT ${COLUMNS} FROM taken o JOIN payment p ON p.id = o.id`;
}

/** A notification about a charge. Amounts are nano-USD. */
export type Telling = {
  id: string;
  tell: "declined" | "confirm" | "paused";
  payer: string;
  amountNanoUsd: bigint;
  failure: string | null;
  card: string | null;
  actionUrl: string | null;
  nextAttemptAt: Date | null;
  /** Whether its card is no longer charged, because of the bank's decline. */
  cardRefused: boolean;
  /** Reason of a pause. */
  reason: AutoTopupPauseReason | null;
  to: { email: string; name: string; language: string | null; organisationId: number };
};

export async function listTellings(db: Db, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id::text AS id FROM auto_topup_operation WHERE tell IS NOT NULL ORDER BY created_at LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

/**
 * Claims a pending notification; the email must be written in the same transaction. Null when it was already sent, or
 * the person is not active.
 */
export async function takeTelling(tx: Db, id: string): Promise<Telling | null> {
  const [row] = await tx.$queryRaw<(Telling & Telling["to"] & { isActive: boolean })[]>`
    SELECT o.id::text AS id, o.tell, o.failure, o.action_url AS "actionUrl", p.amount + p.fee AS "amountNanoUsd",
           m.brand || ' •••• ' || m.last4 AS card, a.next_attempt_at AS "nextAttemptAt", coalesce(m.refused_code IS NOT NULL, false) AS "cardRefused",
           NULL AS reason, u.email, u.name, u.language,
           u.organisation_id AS "organisationId", u.status = 'active' AS "isActive",
           CASE w.payer_kind::text WHEN 'organisation' THEN g.name ELSE coalesce(nullif(u.name, ''), u.email) END AS payer
      FROM auto_topup_operation o JOIN payment p ON p.id = o.id JOIN app_user u ON u.id = o.user_id
      JOIN ledger_account w ON w.id = o.wallet_id JOIN auto_topup a ON a.wallet_id = o.wallet_id
      LEFT JOIN organisation g ON w.payer_kind::text = 'organisation' AND g.id = w.payer_id
      LEFT JOIN payment_method m ON m.id = o.method_id
     WHERE o.id = ${id}::uuid AND o.tell IS NOT NULL FOR NO KEY UPDATE OF o SKIP LOCKED`;
  if (row === undefined) return null;
  await tx.$executeRaw`UPDATE auto_topup_operation SET tell = NULL WHERE id = ${id}::uuid`;
  const { isActive, email, name, language, organisationId, ...telling } = row;
  return isActive ? { ...telling, to: { email, name, language, organisationId } } : null;
}

const VIEW = Prisma.sql`o.id::text AS id, o.state, s.version AS "settingsVersion", p.amount AS "amountNanoUsd", p.fee AS "feeNanoUsd",
  p.credited_txn IS NOT NULL AS confirmed, o.failure, CASE o.state WHEN 'requires_action' THEN o.action_url END AS "actionUrl",
  o.created_at AS "createdAt", o.submitted_at AS "submittedAt", o.ended_at AS "endedAt"`;

/** Returns a person's own charge. */
export async function findOwnOperation(db: Db, userId: number, id: string): Promise<AutoTopupOperationView | null> {
  const [row] = await db.$queryRaw<AutoTopupOperationView[]>`
    SELECT ${VIEW} FROM auto_topup_operation o JOIN payment p ON p.id = o.id JOIN auto_topup_setting s ON s.id = o.setting_id
     WHERE o.id = ${id}::uuid AND o.user_id = ${userId}::int`;
  return row ?? null;
}

/** Returns the latest charge of a wallet, and the owner of its card. */
export async function findLastOperation(
  db: Db,
  walletId: number,
): Promise<(AutoTopupOperationView & { userId: number }) | null> {
  const [row] = await db.$queryRaw<(AutoTopupOperationView & { userId: number })[]>`
    SELECT ${VIEW}, o.user_id AS "userId"
      FROM auto_topup_operation o JOIN payment p ON p.id = o.id JOIN auto_topup_setting s ON s.id = o.setting_id
     WHERE o.wallet_id = ${walletId}::bigint ORDER BY o.created_at DESC LIMIT 1`;
  return row ?? null;
}

/** Returns charges that have not ended, oldest first. */
export function listOpen(db: Db): Promise<OpenAutoTopup[]> {
  return db.$queryRaw`
    SELECT o.id::text AS id, o.state, p.amount + p.fee AS "amountNanoUsd", o.created_at AS "createdAt",
           CASE w.payer_kind::text WHEN 'organisation' THEN g.name ELSE u.email END AS payer
      FROM auto_topup_operation o JOIN payment p ON p.id = o.id JOIN ledger_account w ON w.id = o.wallet_id
      JOIN app_user u ON u.id = o.user_id LEFT JOIN organisation g ON w.payer_kind::text = 'organisation' AND g.id = w.payer_id
     WHERE o.state IN ${OPEN} ORDER BY o.created_at LIMIT 200`;
}
