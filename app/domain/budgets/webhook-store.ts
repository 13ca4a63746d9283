import type { Db } from "~/connection/db.server";
import { SEALED_PREFIX } from "~/sealing/sealing.server";

export type WebhookRow = {
  userId: number;
  url: string;
  secret: string;
  /** The secret before the last rotation; null after its grace period. */
  previousSecret: string | null;
  failures: number;
  disabledAt: Date | null;
  lastAttemptAt: Date | null;
  lastStatus: number | null;
  lastError: string | null;
};

export async function findWebhook(db: Db, userId: number): Promise<WebhookRow | null> {
  const [row] = await db.$queryRaw<WebhookRow[]>`
    SELECT user_id AS "userId", url, secret, CASE WHEN previous_until > app_now() THEN previous_secret END AS "previousSecret", failures,
           disabled_at AS "disabledAt", last_attempt_at AS "lastAttemptAt", last_status AS "lastStatus", last_error AS "lastError"
      FROM alert_webhook WHERE user_id = ${userId}::int`;
  return row ?? null;
}

/** Inserts a webhook, or changes the address of the existing one and resets its failures. Returns whether it is new. */
export async function putWebhook(tx: Db, userId: number, url: string, secret: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ isNew: boolean }[]>`
    INSERT INTO alert_webhook (user_id, url, secret) VALUES (${userId}::int, ${url}, ${secret})
    ON CONFLICT (user_id) DO UPDATE SET url = excluded.url, failures = 0, disabled_at = NULL RETURNING xmax = 0 AS "isNew"`;
  return row!.isNew;
}

/** Returns webhooks with an unencrypted address. */
export const findClearWebhooks = (db: Db): Promise<{ userId: number; url: string }[]> =>
  db.$queryRaw`SELECT user_id AS "userId", url FROM alert_webhook WHERE NOT starts_with(url, ${SEALED_PREFIX}::text)`;

/** Replaces an address unless it was changed meanwhile. Returns the number of rows: 0 or 1. */
export const replaceAddress = (db: Db, userId: number, { from, to }: { from: string; to: string }): Promise<number> =>
  db.$executeRaw`UPDATE alert_webhook SET url = ${to} WHERE user_id = ${userId}::int AND url = ${from}`;

const OVERLAP_HOURS = 24;

/** Replaces the secret; the previous one also signs for one more day. False: there is no webhook. */
export async function replaceSecret(tx: Db, userId: number, secret: string): Promise<boolean> {
  const changed = await tx.$executeRaw`
    UPDATE alert_webhook SET previous_secret = secret, previous_until = app_now() + make_interval(hours => ${OVERLAP_HOURS}::int), secret = ${secret}
     WHERE user_id = ${userId}::int`;
  return changed > 0;
}

export async function deleteWebhook(tx: Db, userId: number): Promise<boolean> {
  return (await tx.$executeRaw`DELETE FROM alert_webhook WHERE user_id = ${userId}::int`) > 0;
}

/** Records a test; false: the last one was less than ten seconds ago. */
export async function claimTest(db: Db, userId: number): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE alert_webhook SET tested_at = app_now()
     WHERE user_id = ${userId}::int AND (tested_at IS NULL OR tested_at < app_now() - interval '10 seconds')`;
  return changed > 0;
}

const MAX_FAILURES = 20;

/** Records the result of an attempt. Returns whether this failure disabled the webhook. */
export async function recordAttempt(
  tx: Db,
  userId: number,
  outcome: { status: number | null; error: string | null },
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ disabled: boolean }[]>`
    UPDATE alert_webhook w SET last_attempt_at = app_now(), last_status = ${outcome.status}::int, last_error = ${outcome.error},
           failures = CASE WHEN ${outcome.error}::text IS NULL THEN 0 ELSE w.failures + 1 END,
           disabled_at = CASE WHEN ${outcome.error}::text IS NOT NULL AND w.failures + 1 >= ${MAX_FAILURES}::int
                              THEN coalesce(w.disabled_at, app_now()) ELSE w.disabled_at END
      FROM (SELECT disabled_at FROM alert_webhook WHERE user_id = ${userId}::int FOR NO KEY UPDATE) before
     WHERE w.user_id = ${userId}::int RETURNING w.disabled_at IS NOT NULL AND before.disabled_at IS NULL AS disabled`;
  return row?.disabled ?? false;
}
