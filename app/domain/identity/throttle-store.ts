import type { Db } from "~/db.server";

const FIRST_LOCK_SECONDS = 30;
const MAX_LOCK_SECONDS = 900;

/** What a subject may do: so many attempts in a row, which are forgotten after so long without one. */
export type Allowance = { free: number; quietSeconds: number };

/**
 * Counts an attempt against a subject, before it is made: of many at the same moment each one counts. The last of `free`
 * attempts locks the subject, and each one that is taken after that locks it for twice as long. `quietSeconds` run from the
 * end of the last lock. Returns for how many seconds it is locked to this attempt; 0: go on.
 */
export async function countAttempt(db: Db, subject: string, { free, quietSeconds }: Allowance): Promise<number> {
  // A locked row is left alone. The lock that kept it may be newer than what this statement sees of it.
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

/** Takes an attempt back that has turned out to be none, with the lock that it has set. */
export async function refundAttempt(db: Db, subject: string): Promise<void> {
  await db.$executeRaw`
    UPDATE sign_in_throttle SET failures = greatest(failures - 1, 0), locked_until = NULL WHERE subject = ${subject}`;
}

export async function resetAttempts(db: Db, subject: string): Promise<void> {
  await db.$executeRaw`DELETE FROM sign_in_throttle WHERE subject = ${subject}`;
}

export const deleteOldAttempts = (db: Db): Promise<number> =>
  db.$executeRaw`DELETE FROM sign_in_throttle WHERE window_start < now() - interval '2 days'`;
