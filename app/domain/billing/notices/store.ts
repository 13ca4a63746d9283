import type { Db } from "~/connection/db.server";
import type { BillingNotice, NoticeFacts } from "../shared";

/** Retention in days, longer than any period of a subject. */
const KEPT_DAYS = 400;

/**
 * Records a notice that a limit of a wallet prevented an auto top-up: once per day or month (UTC), for the person who
 * consented to it.
 */
export async function recordTopupLimit(
  tx: Db,
  limited: { walletId: number; userId: number; limit: "day" | "month"; amountNanoUsd: bigint },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO billing_notice (kind, subject, user_id, facts)
      SELECT 'topup_limit', concat_ws(':', w.id, ${limited.limit}::text, to_char(date_trunc(${limited.limit}::text, app_now(), 'UTC') AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
             ${limited.userId}::int, jsonb_build_object('limit', ${limited.limit}::text, 'amount', ${limited.amountNanoUsd}::bigint::text, 'payer',
               CASE w.payer_kind::text WHEN 'organisation' THEN (SELECT name FROM organisation WHERE id = w.payer_id)
                                       ELSE (SELECT coalesce(nullif(name, ''), email) FROM app_user WHERE id = w.payer_id) END)
        FROM ledger_account w WHERE w.id = ${limited.walletId}::bigint
      ON CONFLICT DO NOTHING`;
}

/**
 * Records notices of saved cards that expire within a number of days or have expired; once for each expiry date of a
 * card. Returns the number of notices.
 */
export const recordExpiringCards = (db: Db, days: number): Promise<number> => db.$executeRaw`
  INSERT INTO billing_notice (kind, subject, user_id, facts)
    SELECT 'card_expires', concat_ws(':', m.id, m.exp_year, m.exp_month), m.user_id,
           jsonb_build_object('card', m.brand || ' •••• ' || m.last4, 'month', to_char(make_date(m.exp_year, m.exp_month, 1), 'YYYY-MM'))
      FROM payment_method m JOIN app_user u ON u.id = m.user_id
     WHERE m.removed_at IS NULL AND u.status = 'active'
       AND make_date(m.exp_year, m.exp_month, 1) + interval '1 month' <= app_now() AT TIME ZONE 'UTC' + make_interval(days => ${days}::int)
    ON CONFLICT DO NOTHING`;

/**
 * Records a notice for each colleague for whom a wallet was charged this month (UTC) because its owner agreed to pay;
 * once a month each. Returns the number of notices.
 */
export const recordPaidFor = (db: Db): Promise<number> => db.$executeRaw`
  INSERT INTO billing_notice (kind, subject, user_id, facts)
    SELECT 'paid_for', concat_ws(':', d.id, to_char(m.start AT TIME ZONE 'UTC', 'YYYY-MM')), d.payer_id,
           jsonb_build_object('person', coalesce(nullif(u.name, ''), u.email))
      FROM payer_delegation d JOIN app_user u ON u.id = d.user_id JOIN app_user p ON p.id = d.payer_id AND p.status = 'active'
      JOIN ledger_account w ON w.kind = 'wallet' AND w.payer_kind = 'user' AND w.payer_id = d.payer_id
      CROSS JOIN LATERAL (SELECT date_trunc('month', app_now(), 'UTC') AS start) m
     WHERE d.accepted_at IS NOT NULL AND (d.ended_at IS NULL OR d.ended_at > m.start)
       AND NOT EXISTS (SELECT FROM billing_notice n WHERE n.kind = 'paid_for'
                          AND n.subject = concat_ws(':', d.id, to_char(m.start AT TIME ZONE 'UTC', 'YYYY-MM')))
       -- The small table first: most have nothing.
       AND EXISTS (SELECT FROM usage_hour h WHERE h.user_id = d.user_id AND h.user_id <> 0 AND h.hour >= date_trunc('hour', greatest(m.start, d.accepted_at)))
       AND EXISTS (SELECT FROM usage_event e
                    WHERE e.organisation_id = u.organisation_id AND e.user_id = d.user_id AND e.wallet_id = w.id AND e.charged > 0 AND (w.exempt OR NOT e.exempt)
                      AND e.started_at >= greatest(m.start, d.accepted_at))
    ON CONFLICT DO NOTHING`;

export async function listWaitingNotices(db: Db, limit: number): Promise<bigint[]> {
  const rows = await db.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM billing_notice WHERE told_at IS NULL ORDER BY id LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

type NoticeRow = NoticeFacts & BillingNotice["to"] & { isActive: boolean };

/**
 * Claims a pending notice; the email must be written in the same transaction. Null when it was already sent, or the
 * person is not active.
 */
export async function takeNotice(tx: Db, id: bigint): Promise<BillingNotice | null> {
  const [row] = await tx.$queryRaw<NoticeRow[]>`
    SELECT n.kind, n.facts, u.email, u.name, u.language, u.organisation_id AS "organisationId", u.status = 'active' AS "isActive"
      FROM billing_notice n JOIN app_user u ON u.id = n.user_id
     WHERE n.id = ${id}::bigint AND n.told_at IS NULL FOR NO KEY UPDATE OF n SKIP LOCKED`;
  if (row === undefined) return null;
  // Names are deleted as soon as the notice is sent.
  await tx.$executeRaw`UPDATE billing_notice SET told_at = app_now(), facts = '{}' WHERE id = ${id}::bigint`;
  const { isActive, email, name, language, organisationId, ...notice } = row;
  return isActive ? { ...notice, to: { email, name, language, organisationId } } : null;
}

export const deleteOldNotices = (db: Db): Promise<number> => db.$executeRaw`
  DELETE FROM billing_notice WHERE told_at IS NOT NULL AND created_at < app_now() - make_interval(days => ${KEPT_DAYS}::int)`;
