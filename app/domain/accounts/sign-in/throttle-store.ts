import type { Db } from "~/connection/db.server";

const FIRST_LOCK_SECONDS = 30;
const MAX_LOCK_SECONDS = 900;

/** Limit of a subject: free attempts in a row, and the seconds without an attempt after which they are forgotten. */
export type Allowance = { free: number; quietSeconds: number };

/**
 * Counts an attempt against a subject before it is made; concurrent attempts are all counted. The last of the `free`
 * attempts locks the subject, and each later attempt locks it for twice as long. `quietSeconds` run from the end of the
 * last lock. Returns the seconds for which this attempt is locked out; 0: proceed.
 */
export async function countAttempt(db: Db, subject: string, { free, quietSeconds }: Allowance): Promise<number> {
  // A locked row is not changed. Its lock may be newer than this statement's snapshot.
  const rows = await db.$queryRaw<{ wait: number }[]>`
    WITH counted AS (
      INSERT INTO sign_in_throttle AS t (subject, failures, window_start) VALUES (${subject}, 1, now())
      ON CONFLICT (subject) DO UPDATE SET
        failures = CASE WHEN greatest(t.window_start, t.locked_until) < now() - make_interval(secs => ${quietSeconds}) THEN 1
                        ELSE t.failures + 1 END,
        window_start = now(),
        locked_until = CASE WHEN greatest(t.window_start, t.locked_until) >= now() - make_interval(secs => ${quietSeconds})
                             AND t.failures + 1 >= ${free} THEN now() + make_interval(secs =>
                              least(${MAX_LOCK_SECONDS}, ${FIRST_LOCK_SECONDS} * power(2, least(t.failures + 1 - ${free}, 10)))::int)
                            END
      WHERE t.locked_until IS NULL OR t.locked_until <= now()
      RETURNING 1)
    SELECT CASE WHEN EXISTS (SELECT FROM counted) THEN 0
                ELSE greatest(1, coalesce((SELECT ceil(extract(epoch FROM locked_until - now()))::int FROM sign_in_throttle
                                            WHERE subject = ${subject}), ${FIRST_LOCK_SECONDS}::int)) END AS wait`;
  return rows[0]?.wait ?? 0;
}

/** Reverts an attempt that should not count, with the lock that it set. */
export async function refundAttempt(db: Db, subject: string): Promise<void> {
  await db.$executeRaw`
    UPDATE sign_in_throttle SET failures = greatest(failures - 1, 0), locked_until = NULL WHERE subject = ${subject}`;
}

export async function resetAttempts(db: Db, subject: string): Promise<void> {
  await db.$executeRaw`DELETE FROM sign_in_throttle WHERE subject = ${subject}`;
}

export const deleteOldAttempts = (db: Db): Promise<number> =>
  db.$executeRaw`DELETE FROM sign_in_throttle WHERE window_start < now() - interval '2 days'`;
