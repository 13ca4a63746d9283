-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- A job that runs once for the whole installation: its lease, and the result of its last run.
CREATE TABLE job (
  name text PRIMARY KEY,
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  next_run_at timestamptz(6) NOT NULL,
  -- Time of a request for a run that has not started yet.
  requested_at timestamptz(6),
  -- Number of the run: a process that has lost its lease cannot write the result of a later run.
  run bigint NOT NULL DEFAULT 0,
  lease_owner text,
  lease_until timestamptz(6),
  running_since timestamptz(6),
  -- Consecutive failed runs.
  failures integer NOT NULL DEFAULT 0,
  -- This and the columns below are about the last run that ended.
  started_at timestamptz(6),
  finished_at timestamptz(6),
  succeeded_at timestamptz(6),
  -- succeeded, failed, timed_out, interrupted or abandoned.
  result text,
  handled integer NOT NULL DEFAULT 0,
  error text NOT NULL DEFAULT '',
  -- Process of the last run.
  process text NOT NULL DEFAULT '',
  -- An incomplete lease would block a job permanently, or let two processes run it.
  CONSTRAINT job_lease_whole CHECK ((lease_owner IS NULL) = (lease_until IS NULL) AND (lease_owner IS NULL) = (running_since IS NULL))
);

-- A run that did work, failed, or was requested by a person; kept for a week.
CREATE TABLE job_run (
  id bigserial PRIMARY KEY,
  job text NOT NULL,
  requested boolean NOT NULL,
  process text NOT NULL,
  started_at timestamptz(6) NOT NULL,
  finished_at timestamptz(6) NOT NULL,
  result text NOT NULL,
  handled integer NOT NULL,
  error text NOT NULL
);
CREATE INDEX job_run_job_id_idx ON job_run (job, id DESC);
