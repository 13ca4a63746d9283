import type { Db } from "~/connection/db.server";
import type { PaymentMismatch } from "../shared";
import { nanoUsdOfCents } from "./fee";

export type NewMismatch = { paymentId: string; askedCents: number; paidCents: number; creditedNanoUsd: bigint };

/**
 * Records that a payment was paid with another amount than requested, and its credit for that amount. Called before the
 * payment is marked as paid, and once: the credit of a paid payment never changes.
 */
export async function recordMismatch(tx: Db, mismatch: NewMismatch): Promise<void> {
  const { paymentId, askedCents, paidCents, creditedNanoUsd } = mismatch;
  const fee = nanoUsdOfCents(BigInt(Math.min(paidCents, askedCents))) - creditedNanoUsd;
  const changed = await tx.$executeRaw`
    UPDATE payment SET asked_amount = amount, amount = ${creditedNanoUsd}::bigint, fee = ${fee}::bigint
     WHERE id = ${paymentId}::uuid AND state <> 'paid'`;
  if (changed === 0) return;
  await tx.$executeRaw`
    INSERT INTO payment_mismatch (payment_id, asked_cents, paid_cents, credited)
    VALUES (${paymentId}::uuid, ${askedCents}::bigint, ${paidCents}::bigint, ${creditedNanoUsd}::bigint) ON CONFLICT DO NOTHING`;
}

/** Returns payments that were credited with another amount than requested, latest first. */
export function listMismatches(db: Db): Promise<PaymentMismatch[]> {
  return db.$queryRaw`
    SELECT x.payment_id::text AS "paymentId", x.asked_cents AS "askedCents", x.paid_cents AS "paidCents", x.credited AS "creditedNanoUsd",
           x.created_at AS at, CASE w.payer_kind::text WHEN 'organisation' THEN g.name ELSE u.email END AS payer
      FROM payment_mismatch x JOIN payment p ON p.id = x.payment_id JOIN ledger_account w ON w.id = p.wallet_id
      JOIN app_user u ON u.id = p.user_id LEFT JOIN organisation g ON w.payer_kind::text = 'organisation' AND g.id = w.payer_id
     ORDER BY x.created_at DESC LIMIT 200`;
}
