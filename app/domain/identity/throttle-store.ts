import type { Db } from "~/db.server";

/** After so long without an attempt everything is forgotten. */
const QUIET_SECONDS = 900;
const FIRST_LOCK_SECONDS = 30;
const LONGEST_LOCK_SECONDS = 900;

/**
 * Counts an attempt against a subject, before it is made: of many at the same moment each one counts. Beyond `free`
 * attempts every further one locks the subject for twice as long. Returns for how many seconds it is locked to this
 * attempt; 0: go on.
 */
export async function countAttempt(db: Db, subject: string, free: number): Promise<number> {
  const rows = await db.$queryRaw<{ wait: number }[]>`
    WITH counted AS (
      INSERT INTO sign_in_throttle AS t (subject, failures, window_start) VALUES (${subject}, 1, now())
      ON CONFLICT (subject) DO UPDATE SET
        failures = CASE WHEN t.locked_until > now() THEN t.failures
                        WHEN t.window_start < now() - make_interval(secs => ${QUIET_SECONDS}) THEN 1
                        ELSE t.failures + 1 END,
        window_start = CASE WHEN t.locked_until > now() THEN t.window_start ELSE now() END,
        locked_until = CASE WHEN t.locked_until > now() THEN t.locked_until
                            WHEN t.window_start < now() - make_interval(secs => ${QUIET_SECONDS}) THEN NULL
                            WHEN t.failures + 1 > ${free} THEN now() + make_interval(secs =>
                              least(${LONGEST_LOCK_SECONDS}, ${FIRST_LOCK_SECONDS} * power(2, least(t.failures - ${free}, 10)))::int)
                            END
      RETURNING locked_until)
    SELECT CASE WHEN counted.locked_until > now() THEN ceil(extract(epoch FROM counted.locked_until - now()))::int ELSE 0 END AS wait
    FROM counted`;
  return rows[0]?.wait ?? 0;
}

export async function forgetAttempts(db: Db, subject: string): Promise<void> {
  await db.$executeRaw`DELETE FROM sign_in_throttle WHERE subject = ${subject}`;
}

export async function deleteOldAttempts(db: Db): Promise<void> {
  await db.$executeRaw`DELETE FROM sign_in_throttle WHERE window_start < now() - interval '1 day'`;
}
