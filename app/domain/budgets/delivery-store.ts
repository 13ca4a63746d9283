import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { AlertDelivery, DeliveryState } from "./shared";

export async function insertDeliveries(
  tx: Db,
  alertId: bigint,
  addressees: readonly { userId: number; asManager: boolean }[],
): Promise<void> {
  if (addressees.length === 0) return;
  const userIds = addressees.map(({ userId }) => userId);
  const asManager = addressees.map((each) => each.asManager);
  await tx.$executeRaw`
    INSERT INTO alert_delivery (alert_id, user_id, as_manager, channel)
      SELECT ${alertId}::bigint, t.id, as_manager, c.channel FROM unnest(${userIds}::int[], ${asManager}::boolean[]) AS t(id, as_manager)
        CROSS JOIN (VALUES ('mail'), ('webhook')) c(channel)
       WHERE c.channel = 'mail' OR EXISTS (SELECT FROM alert_webhook w WHERE w.user_id = t.id AND w.disabled_at IS NULL)
      ON CONFLICT DO NOTHING`;
}

const VIEW = Prisma.sql`
  d.id, d.alert_id AS "alertId", d.channel, d.state, d.attempts, d.sent_at AS "sentAt", d.error,
  CASE WHEN d.state = 'pending' THEN d.next_attempt_at END AS "nextAttemptAt", a.kind, a.threshold, a.scope_kind AS scope,
  a.scope_id AS "scopeId", a.scope_name AS "scopeName", a.period, a.limit_amt AS "limitNanoUsd", a.spent AS "spentNanoUsd",
  a.held AS "heldNanoUsd", greatest(a.limit_amt - a.spent - a.held, 0)::bigint AS "availableNanoUsd", a.resets_at AS "resetsAt",
  a.runs_out_at AS "runsOutAt", a.created_at AS "createdAt"`;

/** Returns a person's own deliveries with an id below `beforeId`, newest first. */
export function listDeliveries(
  db: Db,
  userId: number,
  page: { beforeId: bigint | null; limit: number },
): Promise<AlertDelivery[]> {
  return db.$queryRaw`
    SELECT ${VIEW} FROM alert_delivery d JOIN alert a ON a.id = d.alert_id
     WHERE d.user_id = ${userId}::int AND (${page.beforeId}::bigint IS NULL OR d.id < ${page.beforeId}::bigint)
     ORDER BY d.id DESC LIMIT ${page.limit}::int`;
}

/** The recipient of an alert, with the fields that emails need. */
export type Addressee = {
  userId: number;
  email: string;
  name: string;
  language: string | null;
  organisationId: number;
  /** Whether the person is still active, in the same organisation and subscribed; a manager must still be one and consent. */
  wanted: boolean;
};

export function listDue(db: Db, limit: number): Promise<Pick<AlertDelivery, "id" | "channel">[]> {
  return db.$queryRaw`
    SELECT id, channel FROM alert_delivery WHERE state = 'pending' AND next_attempt_at <= app_now() ORDER BY next_attempt_at, id LIMIT ${limit}::int`;
}

export type TakenDelivery = AlertDelivery & { to: Addressee };

/** Locks a due delivery with its addressee; null: it is done, or another process has it. */
export async function takeDelivery(tx: Db, id: bigint): Promise<TakenDelivery | null> {
  const [row] = await tx.$queryRaw<(AlertDelivery & Addressee)[]>`
    SELECT ${VIEW}, u.id AS "userId", u.email, u.name, u.language, u.organisation_id AS "organisationId",
           u.status = 'active' AND u.organisation_id = a.organisation_id AND coalesce(s.active, false)
             AND (NOT d.as_manager OR (s.consented_at IS NOT NULL AND u.role IN ('owner', 'platform_admin', 'org_admin', 'department_admin'))) AS wanted
      FROM alert_delivery d JOIN alert a ON a.id = d.alert_id JOIN app_user u ON u.id = d.user_id
      LEFT JOIN alert_setting s ON s.user_id = u.id
     WHERE d.id = ${id}::bigint AND d.state = 'pending' AND d.next_attempt_at <= app_now() FOR NO KEY UPDATE OF d SKIP LOCKED`;
  if (row === undefined) return null;
  const { userId, email, name, language, organisationId, wanted, ...delivery } = row;
  return { ...delivery, scopeName: row.scopeName, to: { userId, email, name, language, organisationId, wanted } };
}

/** Longer than the time-out of a receiver. */
const LEASE_SECONDS = 60;

/** Reserves a delivery for a minute. If the process crashes meanwhile, the delivery is repeated. */
export async function leaseDelivery(tx: Db, id: bigint): Promise<void> {
  await tx.$executeRaw`
    UPDATE alert_delivery SET next_attempt_at = app_now() + make_interval(secs => ${LEASE_SECONDS}::int) WHERE id = ${id}::bigint`;
}

export async function endDelivery(tx: Db, id: bigint, state: Exclude<DeliveryState, "pending">): Promise<void> {
  await tx.$executeRaw`
    UPDATE alert_delivery SET state = ${state}, attempts = attempts + 1, error = NULL,
           sent_at = CASE WHEN ${state} = 'sent' THEN app_now() END WHERE id = ${id}::bigint`;
}

const MAX_ATTEMPTS = 12;

/** Counts a failed attempt and schedules the next one, with a delay that doubles up to an hour. Gives up after twelve attempts. */
export async function postponeDelivery(db: Db, id: bigint, error: string): Promise<void> {
  await db.$executeRaw`
    UPDATE alert_delivery SET attempts = attempts + 1, error = ${error},
           state = CASE WHEN attempts + 1 >= ${MAX_ATTEMPTS}::int THEN 'dead' ELSE 'pending' END,
           next_attempt_at = app_now() + least(interval '1 hour', interval '5 seconds' * power(2, attempts))
     WHERE id = ${id}::bigint AND state = 'pending'`;
}

/** Deletes deliveries older than `days`, and alerts without deliveries. Returns the number of alerts. */
export async function deleteOldAlerts(db: Db, days: number, maximum: number): Promise<number> {
  await db.$executeRaw`
    DELETE FROM alert_delivery WHERE id IN (
      SELECT id FROM alert_delivery WHERE state <> 'pending' AND created_at < app_now() - make_interval(days => ${days}::int)
       ORDER BY id LIMIT ${maximum}::int)`;
  return db.$executeRaw`
    DELETE FROM alert WHERE id IN (
      SELECT a.id FROM alert a WHERE a.created_at < app_now() - make_interval(days => ${days}::int)
         AND NOT EXISTS (SELECT FROM alert_delivery d WHERE d.alert_id = a.id) ORDER BY a.id LIMIT ${maximum}::int)`;
}
