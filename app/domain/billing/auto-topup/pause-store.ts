import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { AutoTopupPauseReason, PausedAutoTopup } from "../shared";
import type { Telling } from "./operation-store";

/** Claims on a payment: refunded cents, and the numbers of disputes, inquiries and warnings. */
export type Claims = Record<AutoTopupPauseReason, bigint>;

export async function readClaims(tx: Db, paymentId: string): Promise<Claims> {
  const [row] = await tx.$queryRaw<Claims[]>`
    SELECT greatest(p.refunded_cents, (SELECT coalesce(sum(r.cents), 0) FROM payment_refund r WHERE r.payment_id = p.id))::bigint AS refund,
           (SELECT count(*) FROM payment_dispute d WHERE d.payment_id = p.id) AS dispute,
           count(*) FILTER (WHERE w.kind = 'inquiry') AS inquiry, count(*) FILTER (WHERE w.kind = 'fraud_warning') AS fraud_warning
      FROM payment p LEFT JOIN payment_warning w ON w.payment_id = p.id WHERE p.id = ${paymentId}::uuid GROUP BY p.id`;
  return row!;
}

/** Records an inquiry or a fraud warning of a bank, which takes no money; once. */
export async function putWarning(
  tx: Db,
  warning: { id: string; paymentId: string; kind: "inquiry" | "fraud_warning" },
): Promise<void> {
  const { id, paymentId, kind } = warning;
  await tx.$executeRaw`
    INSERT INTO payment_warning (id, payment_id, kind) VALUES (${id}, ${paymentId}::uuid, ${kind}) ON CONFLICT DO NOTHING`;
}

/**
 * The wallets that a claim on a payment affects; `isOfCard`: also the other wallets for which the same person's card is
 * charged.
 */
const concerned = (paymentId: string, isOfCard: boolean) => Prisma.sql`
  SELECT w.id FROM payment p JOIN ledger_account o ON o.id = p.wallet_id JOIN ledger_account w ON w.id IN (o.id, o.heir_id)
   WHERE p.id = ${paymentId}::uuid
  UNION SELECT s.wallet_id FROM payment p JOIN auto_topup_setting s ON s.user_id = p.user_id
   WHERE ${isOfCard} AND p.id = ${paymentId}::uuid`;

/** Locks the auto top-ups that a claim affects until the transaction ends. */
export async function lockTogether(tx: Db, paymentId: string, isOfCard: boolean): Promise<void> {
  await tx.$queryRaw`
    SELECT a.wallet_id FROM auto_topup a WHERE a.wallet_id IN (${concerned(paymentId, isOfCard)}) ORDER BY a.wallet_id FOR NO KEY UPDATE`;
}

/**
 * Returns those of them that are active, as of this statement. A wallet that is charged to another person's card is not
 * paused.
 */
export async function findPausable(tx: Db, paymentId: string, isOfCard: boolean): Promise<number[]> {
  const rows = await tx.$queryRaw<{ walletId: number }[]>`
    SELECT a.wallet_id::int AS "walletId" FROM auto_topup a JOIN auto_topup_setting s ON s.id = a.setting_id
      JOIN payment p ON p.id = ${paymentId}::uuid JOIN ledger_account o ON o.id = p.wallet_id
     WHERE a.active AND a.wallet_id IN (${concerned(paymentId, isOfCard)})
       AND (a.wallet_id IN (o.id, o.heir_id) OR s.user_id = p.user_id) ORDER BY a.wallet_id`;
  return rows.map(({ walletId }) => walletId);
}

/** Records that the current settings are a pause, and why. */
export async function insertPause(
  tx: Db,
  pause: { walletId: number; paymentId: string; reason: AutoTopupPauseReason },
): Promise<void> {
  const { walletId, paymentId, reason } = pause;
  await tx.$executeRaw`
    INSERT INTO auto_topup_pause (setting_id, payment_id, reason)
    SELECT setting_id, ${paymentId}::uuid, ${reason} FROM auto_topup WHERE wallet_id = ${walletId}::bigint`;
}

/** Returns pauses of which the person who had consented was not notified yet. */
export async function listPauseTellings(db: Db, limit: number): Promise<bigint[]> {
  const rows = await db.$queryRaw<{ id: bigint }[]>`
    SELECT setting_id AS id FROM auto_topup_pause WHERE owner_told_at IS NULL ORDER BY setting_id LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

/**
 * Claims a pause for its notification; the email must be written in the same transaction. Null when it was already
 * sent, or the person is not active.
 */
export async function takePauseTelling(tx: Db, settingId: bigint): Promise<Telling | null> {
  const [row] = await tx.$queryRaw<(Omit<Telling, "tell"> & Telling["to"] & { isActive: boolean })[]>`
    SELECT p.id::text AS id, z.reason, p.amount + p.fee AS "amountNanoUsd", p.card, u.email, u.name, u.language,
           u.organisation_id AS "organisationId", u.status = 'active' AS "isActive",
           CASE w.payer_kind::text WHEN 'organisation' THEN g.name ELSE coalesce(nullif(u.name, ''), u.email) END AS payer
      FROM auto_topup_pause z JOIN auto_topup_setting s ON s.id = z.setting_id JOIN payment p ON p.id = z.payment_id
      JOIN app_user u ON u.id = s.user_id JOIN ledger_account w ON w.id = s.wallet_id
      LEFT JOIN organisation g ON w.payer_kind::text = 'organisation' AND g.id = w.payer_id
     WHERE z.setting_id = ${settingId}::bigint AND z.owner_told_at IS NULL FOR NO KEY UPDATE OF z SKIP LOCKED`;
  if (row === undefined) return null;
  await tx.$executeRaw`UPDATE auto_topup_pause SET owner_told_at = app_now() WHERE setting_id = ${settingId}::bigint`;
  const { isActive, email, name, language, organisationId, ...telling } = row;
  if (!isActive) return null;
  const nothing = { failure: null, actionUrl: null, nextAttemptAt: null, cardRefused: false };
  return { ...telling, ...nothing, tell: "paused", to: { email, name, language, organisationId } };
}

/** Returns auto top-ups that wait for a new consent, latest first, for owners and platform admins. */
export function listPaused(db: Db): Promise<PausedAutoTopup[]> {
  return db.$queryRaw`
    SELECT z.payment_id::text AS "paymentId", a.wallet_id::int AS "walletId", z.reason, z.created_at AS "pausedAt",
           p.amount + p.fee AS "amountNanoUsd",
           CASE w.payer_kind::text WHEN 'organisation' THEN g.name ELSE u.email END AS payer
      FROM auto_topup a JOIN auto_topup_pause z ON z.setting_id = a.setting_id JOIN payment p ON p.id = z.payment_id
      JOIN auto_topup_setting s ON s.id = a.setting_id JOIN app_user u ON u.id = s.user_id
      JOIN ledger_account w ON w.id = a.wallet_id
      LEFT JOIN organisation g ON w.payer_kind::text = 'organisation' AND g.id = w.payer_id
     ORDER BY z.created_at DESC LIMIT 200`;
}
