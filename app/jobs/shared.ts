/** `process`: every process runs it for itself; `installation`: one of all processes runs it. */
export type JobScope = "process" | "installation";

/** Something that runs by the clock. A room's function does the work; the registry names it. */
export type Job = {
  /** A verb and what it is done to, such as "purge-refusals". The page has words for it in every language. */
  name: string;
  scope: JobScope;
  everyMs: number;
  /** By which share of its time a turn comes earlier or later; 0.1 where it is left out. */
  jitter?: number;
  /** A run that takes longer counts as timed out and is told to stop; five minutes where it is left out. */
  timeoutMs?: number;
  /**
   * One run; returns how many things it handled. It stops between two steps when `signal` aborts. A run may be cut off anywhere and
   * is repeated, so repeating it must do no harm.
   */
  run(signal: AbortSignal): Promise<number>;
};

/**
 * How a run ended. `timed_out`: it took too long and was told to stop; `interrupted`: its process was told to stop;
 * `abandoned`: its process was gone, or lost the database, before it could say.
 */
const JOB_RESULTS = ["succeeded", "failed", "timed_out", "interrupted", "abandoned"] as const;
export type JobResult = (typeof JOB_RESULTS)[number];

/** How a run ended, with the moments by the clock of whoever keeps them. */
export type JobOutcome = {
  result: JobResult;
  handled: number;
  /** What went wrong, in the words of the program; empty when nothing did. */
  error: string;
  startedAt: Date;
  finishedAt: Date;
  /** Which process ran it. */
  process: string;
};

/** A job and how it stands. Of a job of scope `process`: in the process that answers. */
export type JobView = {
  name: string;
  scope: JobScope;
  everyMs: number;
  /** Since when it runs; null when it rests. */
  runningSince: Date | null;
  last: JobOutcome | null;
  /** Runs in a row that failed. */
  failures: number;
  nextRunAt: Date | null;
  /** No run has succeeded for far longer than it should take. */
  isLate: boolean;
};

/** A run that is remembered: it did something, failed, or was asked for. */
export type JobRunView = JobOutcome & { id: bigint; job: string; requested: boolean };
