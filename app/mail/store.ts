import type { Db } from "~/connection/db.server";

/** Lease of an attempt; exceeds the response time of every mail server. */
const LEASE_SECONDS = 120;
const KEPT_DAYS = 7;

export type WaitingMail = { id: string; kind: string; sealed: string; attempts: number };

export async function insertMail(
  db: Db,
  mail: { id: string; kind: string; sealed: string; usefulSeconds: number | null },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO mail (id, kind, sealed, useless_at)
    VALUES (${mail.id}, ${mail.kind}, ${mail.sealed}, now() + make_interval(secs => ${mail.usefulSeconds}::int))`;
}

/** Leases emails that are due; no other process gets them until the lease expires. */
export const takeMails = (db: Db, maximum: number): Promise<WaitingMail[]> =>
  db.$queryRaw<WaitingMail[]>`
    UPDATE mail SET attempts = attempts + 1, next_try_at = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id IN (
      SELECT id FROM mail
      WHERE sent_at IS NULL AND failed_at IS NULL AND next_try_at <= now() AND (useless_at IS NULL OR useless_at > now())
      ORDER BY next_try_at LIMIT ${maximum} FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id, kind, sealed, attempts`;

export async function markSent(db: Db, id: string): Promise<void> {
  await db.$executeRaw`UPDATE mail SET sent_at = now(), sealed = NULL, last_error = '' WHERE id = ${id}`;
}

/** Records a failed attempt. `retrySeconds` null: no more attempts. */
export async function markFailed(db: Db, id: string, error: string, retrySeconds: number | null): Promise<void> {
  await db.$executeRaw`
    UPDATE mail SET last_error = ${error},
      next_try_at = CASE WHEN ${retrySeconds}::int IS NULL THEN next_try_at ELSE now() + make_interval(secs => ${retrySeconds}::int) END,
      failed_at = CASE WHEN ${retrySeconds}::int IS NULL THEN now() END,
      sealed = CASE WHEN ${retrySeconds}::int IS NULL THEN NULL ELSE sealed END
    WHERE id = ${id}`;
}

/** Removes the content of expired emails, and deletes old rows. Returns their number. */
export async function tidyMails(db: Db): Promise<number> {
  const useless = await db.$executeRaw`
    UPDATE mail SET failed_at = now(), sealed = NULL, last_error = CASE WHEN last_error = '' THEN 'too late' ELSE last_error END
    WHERE sent_at IS NULL AND failed_at IS NULL AND useless_at <= now()`;
  const old = await db.$executeRaw`
    DELETE FROM mail WHERE coalesce(sent_at, failed_at) < now() - make_interval(days => ${KEPT_DAYS})`;
  return useless + old;
}
