import type { Db } from "~/connection/db.server";
import type { JobResult, JobRunView } from "./shared";

export type ClaimedJob = { name: string; run: bigint; failures: number; requested: boolean };
export type JobRow = {
  name: string;
  nextRunAt: Date;
  requestedAt: Date | null;
  runningSince: Date | null;
  failures: number;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** Milliseconds since the last success; without a success, since the job's row was created. */
  silentMs: number;
  result: JobResult | null;
  handled: number;
  error: string;
  process: string;
};

/** Inserts rows for new jobs. A job with a shorter interval than before gets an earlier next run. Safe to repeat. */
export async function insertJobs(db: Db, jobs: readonly { name: string; everyMs: number }[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO job (name, next_run_at) SELECT name, now() FROM unnest(${jobs.map(({ name }) => name)}::text[]) name
    ON CONFLICT (name) DO NOTHING`;
  await db.$executeRaw`
    UPDATE job SET next_run_at = now() + every * interval '1 millisecond'
      FROM unnest(${jobs.map(({ name }) => name)}::text[], ${jobs.map(({ everyMs }) => everyMs)}::float8[]) given (name, every)
     WHERE job.name = given.name AND failures = 0 AND next_run_at > now() + 2 * every * interval '1 millisecond'`;
}

/** Ends all leases, for a database that only this process uses: their holders no longer run. */
export async function endLeases(db: Db): Promise<void> {
  await db.$executeRaw`UPDATE job SET lease_until = now() WHERE lease_until > now()`;
}

/**
 * Leases to the caller the named jobs that are due and not leased; of concurrent callers only one gets a job. Records a
 * run whose lease has expired as abandoned.
 */
export function claimDueJobs(
  db: Db,
  claim: { names: readonly string[]; owner: string; leaseMs: number },
): Promise<ClaimedJob[]> {
  return db.$queryRaw<ClaimedJob[]>`
    WITH due AS MATERIALIZED (
      SELECT name, lease_owner, lease_until, running_since, requested_at IS NOT NULL AS requested
        FROM job
       WHERE name = ANY (${[...claim.names]}::text[]) AND next_run_at <= now() AND (lease_until IS NULL OR lease_until <= now())
         FOR NO KEY UPDATE SKIP LOCKED
    ), abandoned AS (
      INSERT INTO job_run (job, requested, process, started_at, finished_at, result, handled, error)
      SELECT name, false, lease_owner, running_since, lease_until, 'abandoned', 0, '' FROM due WHERE lease_owner IS NOT NULL
    )
    UPDATE job SET run = run + 1, lease_owner = ${claim.owner}, lease_until = now() + ${claim.leaseMs}::float8 * interval '1 millisecond',
           running_since = now(), requested_at = NULL, failures = failures + (due.lease_owner IS NOT NULL)::int
      FROM due WHERE job.name = due.name
    RETURNING job.name, job.run, job.failures, due.requested`;
}

/** Extends the leases of runs; returns the names of the jobs that the caller still has. */
export async function extendLeases(
  db: Db,
  runs: readonly { name: string; run: bigint }[],
  leaseMs: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    UPDATE job SET lease_until = now() + ${leaseMs}::float8 * interval '1 millisecond'
      FROM unnest(${runs.map(({ name }) => name)}::text[], ${runs.map(({ run }) => run)}::bigint[]) mine (name, run)
     WHERE job.name = mine.name AND job.run = mine.run AND job.lease_owner IS NOT NULL
    RETURNING job.name`;
  return rows.map(({ name }) => name);
}

/**
 * Records the result of a run, releases the lease and sets the time of the next run. No effect when another run has the
 * lease. A run that was requested meanwhile is due at once.
 */
export async function finishRun(
  db: Db,
  end: {
    name: string;
    run: bigint;
    requested: boolean;
    result: JobResult;
    handled: number;
    error: string;
    failures: number;
    restMs: number;
    remembered: boolean;
  },
): Promise<void> {
  await db.$executeRaw`
    WITH done AS (
      UPDATE job SET lease_owner = NULL, lease_until = NULL, running_since = NULL, started_at = running_since, finished_at = now(),
             process = lease_owner, result = ${end.result},
             handled = ${end.handled}::int, error = ${end.error}, failures = ${end.failures}::int,
             succeeded_at = CASE WHEN ${end.result} = 'succeeded' THEN now() ELSE succeeded_at END,
             next_run_at = CASE WHEN requested_at IS NOT NULL THEN now() ELSE now() + ${end.restMs}::float8 * interval '1 millisecond' END
       WHERE name = ${end.name} AND run = ${end.run}::bigint AND lease_owner IS NOT NULL
      RETURNING name, process, started_at, finished_at
    )
    INSERT INTO job_run (job, requested, process, started_at, finished_at, result, handled, error)
    SELECT name, ${end.requested}::boolean, process, started_at, finished_at, ${end.result}, ${end.handled}::int, ${end.error}
      FROM done WHERE ${end.remembered}::boolean`;
}

/** Makes a job due at once. Returns false when it is running, or a run is already requested. */
export async function requestJob(db: Db, name: string): Promise<boolean> {
  const count = await db.$executeRaw`
    UPDATE job SET requested_at = now(), next_run_at = now()
     WHERE name = ${name} AND requested_at IS NULL AND (lease_until IS NULL OR lease_until <= now())`;
  return count > 0;
}

export const findJobs = (db: Db, names: readonly string[]): Promise<JobRow[]> =>
  db.$queryRaw<JobRow[]>`
    SELECT name, next_run_at AS "nextRunAt", requested_at AS "requestedAt",
           CASE WHEN lease_until > now() THEN running_since END AS "runningSince", failures,
           started_at AS "startedAt", finished_at AS "finishedAt",
           (extract(epoch FROM now() - coalesce(succeeded_at, created_at)) * 1000)::float8 AS "silentMs", result, handled, error, process
      FROM job WHERE name = ANY (${[...names]}::text[])`;

export const findRuns = (
  db: Db,
  query: { job: string | null; beforeId: number | null; limit: number },
): Promise<JobRunView[]> =>
  db.$queryRaw<JobRunView[]>`
    SELECT id, job, requested, process, started_at AS "startedAt", finished_at AS "finishedAt", result, handled, error
      FROM job_run
     WHERE (${query.job}::text IS NULL OR job = ${query.job}) AND (${query.beforeId}::bigint IS NULL OR id < ${query.beforeId}::bigint)
     ORDER BY id DESC LIMIT ${query.limit}`;

/** Deletes runs that ended more than `days` days ago. Returns their number. */
export const deleteRuns = (db: Db, days: number): Promise<number> =>
  db.$executeRaw`DELETE FROM job_run WHERE finished_at < now() - make_interval(days => ${days}::int)`;
