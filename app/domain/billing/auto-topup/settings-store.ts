import type { Db } from "~/connection/db.server";
import { nanoUsdOfCents } from "../checkout/fee";
import type { AutoTopupPolicy, AutoTopupPolicyView } from "../shared";
import type { TopupFacts } from "./decide";

/** Returns the current policy; null before the first decision. */
export async function findPolicy(db: Db): Promise<AutoTopupPolicyView | null> {
  const [row] = await db.$queryRaw<AutoTopupPolicyView[]>`
    SELECT p.version, p.approved, p.max_charge AS "maxChargeNanoUsd", p.max_day AS "maxDayNanoUsd", p.max_month AS "maxMonthNanoUsd",
           p.created_at AS "decidedAt", coalesce(nullif(u.name, ''), u.email) AS "decidedBy"
      FROM auto_topup_policy p JOIN app_user u ON u.id = p.decided_by ORDER BY p.version DESC LIMIT 1`;
  return row ?? null;
}

/** Inserts a decision. Returns its version, or null when a newer one exists than `expectedVersion`. */
export async function insertPolicy(
  tx: Db,
  policy: Omit<AutoTopupPolicy, "version"> & { decidedBy: number },
  expectedVersion: number,
): Promise<number | null> {
  const { approved, maxChargeNanoUsd, maxDayNanoUsd, maxMonthNanoUsd, decidedBy } = policy;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('auto_topup_policy'))`;
  const [row] = await tx.$queryRaw<{ version: number }[]>`
    INSERT INTO auto_topup_policy (approved, max_charge, max_day, max_month, decided_by)
    SELECT ${approved}, ${maxChargeNanoUsd}::bigint, ${maxDayNanoUsd}::bigint, ${maxMonthNanoUsd}::bigint, ${decidedBy}::int
     WHERE coalesce((SELECT max(version) FROM auto_topup_policy), 0) = ${expectedVersion}::int RETURNING version`;
  return row?.version ?? null;
}

/** Makes the job check every wallet in its next run. */
export async function checkAllSoon(tx: Db): Promise<void> {
  await tx.$executeRaw`UPDATE auto_topup SET next_check_at = app_now() WHERE active`;
}

/** Locks a wallet's auto top-up until the transaction ends; inserts its row if there is none. */
export async function lockAutoTopup(tx: Db, walletId: number): Promise<void> {
  await tx.$executeRaw`INSERT INTO auto_topup (wallet_id) VALUES (${walletId}::bigint) ON CONFLICT DO NOTHING`;
  await tx.$queryRaw`SELECT wallet_id FROM auto_topup WHERE wallet_id = ${walletId}::bigint FOR NO KEY UPDATE`;
}

export type TopupFactsRow = Omit<TopupFacts, "card" | "chargeNanoUsd"> & {
  walletId: number;
  organisationId: number;
  settingId: bigint;
  version: number;
  userId: number;
  amountNanoUsd: bigint;
  consentVersion: string | null;
  consentLanguage: string | null;
  consentedAt: Date | null;
  consentedBy: string;
  customerId: string | null;
  methodId: string | null;
  cardName: string | null;
  cardExpired: boolean | null;
  cardRefused: boolean;
  pausedAt: Date | null;
  pausedPaymentId: string | null;
};

/** Returns the state of a wallet's auto top-up, as of this statement; null before the first settings. */
export async function readTopupFacts(db: Db, walletId: number): Promise<TopupFactsRow | null> {
  const [row] = await db.$queryRaw<(TopupFactsRow & { usedTodayCents: bigint; usedThisMonthCents: bigint })[]>`
    SELECT a.wallet_id::int AS "walletId", w.organisation_id AS "organisationId", a.active, a.failures, a.last_attempt_at AS "lastAttemptAt",
           a.declined_method_id AS "declinedMethodId", a.next_attempt_at AS "nextAttemptAt", s.id AS "settingId", s.version, s.user_id AS "userId",
           s.threshold AS "thresholdNanoUsd", s.amount AS "amountNanoUsd", s.day_limit AS "dayLimitNanoUsd", s.month_limit AS "monthLimitNanoUsd",
           s.consent_version AS "consentVersion", s.consent_language AS "consentLanguage", s.consented_at AS "consentedAt",
           coalesce(nullif(u.name, ''), u.email) AS "consentedBy",
           w.posted - w.held + w.credit_limit AS "availableNanoUsd", w.exempt, c.customer_id AS "customerId", m.id AS "methodId",
           m.brand || ' ' || m.last4 AS "cardName",
           make_date(m.exp_year, m.exp_month, 1) + interval '1 month' <= app_now() AT TIME ZONE 'UTC' AS "cardExpired",
           m.refused_code IS NOT NULL AS "cardRefused", z.reason AS "pauseReason", z.created_at AS "pausedAt",
           z.payment_id::text AS "pausedPaymentId",
           u.status = 'active' AND g.closed_at IS NULL AND w.heir_id IS NULL AND CASE w.payer_kind::text
             WHEN 'user' THEN w.payer_id = u.id
             WHEN 'organisation' THEN w.payer_id = u.organisation_id AND u.role IN ('owner', 'platform_admin', 'org_admin')
             ELSE false END AS "isEntitled",
           EXISTS (SELECT FROM auto_topup_operation o WHERE o.wallet_id = a.wallet_id
                      AND o.state IN ('created', 'submitted', 'unknown', 'requires_action')) AS "hasOpenOperation",
           used.today AS "usedTodayCents", used.month AS "usedThisMonthCents"
      FROM auto_topup a JOIN auto_topup_setting s ON s.id = a.setting_id JOIN ledger_account w ON w.id = a.wallet_id
      JOIN app_user u ON u.id = s.user_id JOIN organisation g ON g.id = u.organisation_id
      LEFT JOIN auto_topup_pause z ON z.setting_id = s.id
      LEFT JOIN processor_customer c ON c.user_id = s.user_id
      LEFT JOIN payment_method m ON m.id = c.default_method_id AND m.removed_at IS NULL
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(p.subtotal_cents) FILTER (WHERE o.created_at >= date_trunc('day', app_now(), 'UTC')), 0)::bigint AS today,
              coalesce(sum(p.subtotal_cents), 0)::bigint AS month
         FROM auto_topup_operation o JOIN payment p ON p.id = o.id
        WHERE o.wallet_id = a.wallet_id AND o.created_at >= date_trunc('month', app_now(), 'UTC') AND o.state NOT IN ('failed', 'cancelled')) used
     WHERE a.wallet_id = ${walletId}::bigint`;
  if (row === undefined) return null;
  const { usedTodayCents, usedThisMonthCents, ...rest } = row;
  return {
    ...rest,
    usedTodayNanoUsd: nanoUsdOfCents(usedTodayCents),
    usedThisMonthNanoUsd: nanoUsdOfCents(usedThisMonthCents),
  };
}

export type NewSetting = {
  walletId: number;
  version: number;
  userId: number;
  active: boolean;
  thresholdNanoUsd: bigint;
  amountNanoUsd: bigint;
  dayLimitNanoUsd: bigint;
  monthLimitNanoUsd: bigint;
  consent: { policyVersion: number; version: string; language: string } | null;
};

/**
 * Inserts settings and makes them current. Earlier failures are reset, except that nothing is charged within an hour of
 * the last attempt.
 */
export async function putSetting(tx: Db, setting: NewSetting): Promise<void> {
  const { walletId, version, userId, active, thresholdNanoUsd, amountNanoUsd, dayLimitNanoUsd, monthLimitNanoUsd } =
    setting;
  const { policyVersion = null, version: consentVersion = null, language = null } = setting.consent ?? {};
  await tx.$executeRaw`
    WITH made AS (
      INSERT INTO auto_topup_setting (wallet_id, version, user_id, active, threshold, amount, day_limit, month_limit,
                                      policy_version, consent_version, consent_language, consented_at)
      VALUES (${walletId}::bigint, ${version}::int, ${userId}::int, ${active}, ${thresholdNanoUsd}::bigint, ${amountNanoUsd}::bigint,
              ${dayLimitNanoUsd}::bigint, ${monthLimitNanoUsd}::bigint, ${policyVersion}::int, ${consentVersion}::text, ${language}::text,
              CASE WHEN ${active} THEN app_now() END)
      RETURNING id)
    UPDATE auto_topup a SET setting_id = made.id, active = ${active}, failures = least(failures, 1), next_check_at = app_now(),
           next_attempt_at = least(next_attempt_at, last_attempt_at + interval '1 hour')
      FROM made WHERE a.wallet_id = ${walletId}::bigint`;
}

/** Returns wallets below their threshold that may be due. Facts that require the wallet's lock are not checked here. */
export async function listLow(db: Db, limit: number): Promise<number[]> {
  const rows = await db.$queryRaw<{ walletId: number }[]>`
    SELECT a.wallet_id::int AS "walletId"
      FROM auto_topup a JOIN auto_topup_setting s ON s.id = a.setting_id JOIN ledger_account w ON w.id = a.wallet_id
     WHERE a.active AND a.next_check_at <= app_now() AND w.posted - w.held + w.credit_limit < s.threshold
       AND NOT EXISTS (SELECT FROM auto_topup_operation o WHERE o.wallet_id = a.wallet_id
                          AND o.state IN ('created', 'submitted', 'unknown', 'requires_action'))
     ORDER BY a.next_check_at LIMIT ${limit}::int`;
  return rows.map(({ walletId }) => walletId);
}

/** Makes the job skip a wallet that cannot be charged for a minute, so that others get their turn. */
export async function checkLater(tx: Db, walletId: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE auto_topup SET next_check_at = app_now() + interval '1 minute' WHERE wallet_id = ${walletId}::bigint`;
}

/** Resets the failures of a wallet after a successful charge. */
export async function recordSuccess(tx: Db, walletId: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE auto_topup SET failures = 0, next_attempt_at = NULL, declined_method_id = NULL, next_check_at = app_now()
     WHERE wallet_id = ${walletId}::bigint`;
}

export async function recordFailure(
  tx: Db,
  walletId: number,
  failure: { methodId: string; pauseAfter: (failures: number) => number },
): Promise<void> {
  const [row] = await tx.$queryRaw<{ failures: number }[]>`
    UPDATE auto_topup SET failures = failures + 1, declined_method_id = ${failure.methodId}
     WHERE wallet_id = ${walletId}::bigint RETURNING failures`;
  const seconds = failure.pauseAfter(row?.failures ?? 1) / 1_000;
  await tx.$executeRaw`
    UPDATE auto_topup SET next_attempt_at = app_now() + ${seconds}::int * interval '1 second' WHERE wallet_id = ${walletId}::bigint`;
}

/** Records that a card must not be charged again without its owner, and why. */
export async function refuseCard(tx: Db, methodId: string, code: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE payment_method SET refused_code = ${code} WHERE id = ${methodId} AND refused_code IS NULL`;
}

export async function isCardRefused(db: Db, methodId: string): Promise<boolean> {
  const [row] = await db.$queryRaw<unknown[]>`
    SELECT 1 AS one FROM payment_method WHERE id = ${methodId} AND refused_code IS NOT NULL`;
  return row !== undefined;
}
