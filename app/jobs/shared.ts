/** `process`: every process runs the job for itself; `installation`: one of all processes runs it. */
export type JobScope = "process" | "installation";

/** A scheduled job. A function of a room does the work; the registry lists it. */
export type Job = {
  /** A verb and its object, such as "purge-refusals". The page has a label for it in every language. */
  name: string;
  scope: JobScope;
  everyMs: number;
  /** Maximum deviation from the interval, as a share of it; by default 0.1. */
  jitter?: number;
  /** A longer run counts as timed out and is aborted; by default five minutes. */
  timeoutMs?: number;
  /**
   * Runs the job once; returns the number of items handled. Stops between two steps when `signal` aborts. A run may be
   * cut off anywhere and is repeated, so it must be safe to repeat.
   */
  run(signal: AbortSignal): Promise<number>;
};

/**
 * Result of a run. `timed_out`: it took too long and was aborted; `interrupted`: its process stopped; `abandoned`: its
 * process died, or lost the database, before it recorded a result.
 */
const JOB_RESULTS = ["succeeded", "failed", "timed_out", "interrupted", "abandoned"] as const;
export type JobResult = (typeof JOB_RESULTS)[number];

/** Result of a run. Times are by the clock of the recorder: the process, or the database. */
export type JobOutcome = {
  result: JobResult;
  handled: number;
  /** Error message of the program; empty without an error. */
  error: string;
  startedAt: Date;
  finishedAt: Date;
  /** Process that ran it. */
  process: string;
};

/** A job with its state. For a job of scope `process`: the state in the process that answers. */
export type JobView = {
  name: string;
  scope: JobScope;
  everyMs: number;
  /** Start of the current run; null when it is not running. */
  runningSince: Date | null;
  last: JobOutcome | null;
  /** Consecutive failed runs. */
  failures: number;
  nextRunAt: Date | null;
  /** No run has succeeded for much longer than the interval. */
  isLate: boolean;
};

/** A recorded run: it handled something, failed, or was requested. */
export type JobRunView = JobOutcome & { id: bigint; job: string; requested: boolean };
