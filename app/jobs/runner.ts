import type { Db } from "~/connection/db.server";
import { withTimeout } from "~/network/with-timeout";
import { log } from "~/observe/log.server";
import { ProcessBook } from "./process-book";
import { restAfter, timeoutOf } from "./schedule";
import type { Job, JobResult } from "./shared";
import { claimDueJobs, endLeases, extendLeases, finishRun, insertJobs } from "./store";

export type RunnerOptions = {
  db: () => Db;
  jobs: readonly Job[];
  /** Name of this process in leases and records of runs. */
  instance: string;
  /** Only this process uses the database, so leases of other processes are stale. */
  alone: boolean;
  leaseMs?: number;
  /** Random number from 0 to 1 for the jitter. */
  random?: () => number;
};

/** A run in progress. `run`: its number in the database; null for a job of scope `process`. */
type Running = {
  job: Job;
  run: bigint | null;
  requested: boolean;
  failures: number;
  startedAt: Date;
  startedMs: number;
  /** End of this process's lease, in its monotonic clock. */
  leasedUntilMs: number;
  stop: AbortController;
  /** Result, once the runner no longer waits for its work. */
  ended: JobResult | null;
  done: Promise<void>;
};
type Ending = { result: JobResult; handled: number; problem: unknown };

/** Lease duration: long enough for a busy process to extend it, short enough to replace a dead process soon. */
const LEASE_MS = 15_000;
const TICK_MS = 1_000;
const MAX_ERROR_LENGTH = 300;

/**
 * Runs the jobs of one process, and shares those of the installation with the runners of other processes: the runner
 * with the lease of a job runs it. No job runs twice at once, unless a run continues after its time-out or lease, when
 * it is aborted. A job that fails, is stuck or loses its process does not block other jobs.
 */
export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #jobs: ReadonlyMap<string, Job>;
  readonly #leaseMs: number;
  readonly #random: () => number;
  /**
   * Runs by job name. A run that timed out stays here until its work ends; this process does not start the job again
   * earlier.
   */
  readonly #running = new Map<string, Running>();
  /** State of the jobs of scope `process`. */
  readonly book: ProcessBook;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #registered = false;
  #stopped = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#jobs = new Map(options.jobs.map((job) => [job.name, job]));
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    this.#random = options.random ?? Math.random;
    this.book = new ProcessBook(
      options.jobs.filter(({ scope }) => scope === "process"),
      options.instance,
    );
  }

  /** Starts jobs that are due, now and every second. */
  start(): void {
    this.#timer = setInterval(() => void this.tick(), TICK_MS).unref();
    void this.tick();
  }

  /** Makes a job of scope `process` due at once; without a name, starts jobs that are due. */
  wake(name?: string): void {
    if (name !== undefined) this.book.request(name);
    void this.tick();
  }

  /**
   * Starts jobs that are due. Resolves when the jobs of the installation are claimed from the database; jobs of scope
   * `process` do not wait for that. Never rejects: while the database is unreachable, it retries a second later.
   */
  tick(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    for (const name of this.book.due()) if (!this.#running.has(name)) this.#begin(this.#jobs.get(name)!, null);
    this.#stopLateRuns();
    this.#looking ??= this.#look()
      .catch((error) => log.warn({ err: error }, "the jobs that are due could not be read"))
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  /** Waits for all runs of this runner. */
  async idle(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** Starts no more runs, aborts all runs and waits for them, at most `withinMs`. Returns whether all of them ended. */
  async stop(withinMs = 10_000): Promise<boolean> {
    this.#stopped = true;
    clearInterval(this.#timer);
    const ending = this.#stopRuns();
    await withTimeout(ending, withinMs).catch(() => undefined);
    const running = [...this.#running.keys()];
    if (running.length > 0) log.warn({ jobs: running }, "jobs did not stop in time");
    return running.length === 0;
  }

  async #stopRuns(): Promise<void> {
    const stopThem = () => this.#running.forEach(({ stop }) => void stop.abort(new Stopping()));
    stopThem();
    // Also abort runs that a claim in progress has started.
    await this.#looking;
    stopThem();
    await this.idle();
  }

  async #look(): Promise<void> {
    const { db, jobs, instance, alone } = this.#options;
    const shared = jobs.filter(({ scope }) => scope === "installation");
    if (!this.#registered) {
      await insertJobs(db(), shared);
      if (alone) await endLeases(db());
      this.#registered = true;
    }
    await this.#extend();
    const names = shared.map(({ name }) => name).filter((name) => !this.#running.has(name));
    if (names.length === 0 || this.#stopped) return;
    for (const claimed of await claimDueJobs(db(), { names, owner: instance, leaseMs: this.#leaseMs }))
      this.#begin(this.#jobs.get(claimed.name)!, claimed);
  }

  #begin(job: Job, claimed: { run: bigint; failures: number; requested: boolean } | null): void {
    const startedMs = performance.now();
    const running: Running = {
      job,
      run: claimed?.run ?? null,
      requested: claimed?.requested ?? this.book.takeRequest(job.name),
      failures: claimed?.failures ?? this.book.failuresOf(job.name),
      startedAt: new Date(),
      startedMs,
      leasedUntilMs: startedMs + this.#leaseMs,
      stop: new AbortController(),
      ended: null,
      done: Promise.resolve(),
    };
    this.#running.set(job.name, running);
    this.book.began(job.name, running.startedAt);
    running.done = this.#run(running);
  }

  async #run(running: Running): Promise<void> {
    const { job, stop } = running;
    let ending: Ending;
    try {
      // An abort in the same tick takes effect before the job's first step.
      await Promise.resolve();
      ending = { result: "succeeded", handled: await job.run(stop.signal), problem: null };
    } catch (error) {
      const result = stop.signal.reason instanceof Stopping ? "interrupted" : "failed";
      ending = { result, handled: 0, problem: error };
    }
    if (running.ended === null) await this.#end(running, ending);
    else log.warn({ job: job.name, ms: performance.now() - running.startedMs }, "a job that was given up has ended");
    this.#running.delete(job.name);
  }

  /** Records the result of a run and the time of the next one. */
  async #end(running: Running, { result, handled, problem }: Ending): Promise<void> {
    running.ended = result;
    const { job, run, requested, startedMs } = running;
    const isFailure = result === "failed" || result === "timed_out";
    const failures = result === "succeeded" ? 0 : running.failures + (isFailure ? 1 : 0);
    const error = isFailure ? textOf(problem) : "";
    const restMs = result === "interrupted" ? 0 : restAfter(job, { failures, random: this.#random() });
    const facts = { job: job.name, ms: Math.round(performance.now() - startedMs), handled };
    if (isFailure) log.warn({ ...facts, err: problem, failures, restMs }, "a job failed; it will be tried again");
    else if (handled > 0 && run !== null) log.info(facts, "job done");
    if (run === null) {
      const outcome = { result, handled, error, startedAt: running.startedAt, finishedAt: new Date() };
      return this.book.ended(job.name, { outcome, failures, restMs });
    }
    const remembered = requested || handled > 0 || result !== "succeeded";
    const end = { name: job.name, run, requested, result, handled, error, failures, restMs, remembered };
    await finishRun(this.#options.db(), end).catch((cause) =>
      // The lease expires, and the next process that claims the job records this run as abandoned.
      log.warn({ err: cause, job: job.name }, "how a job ended could not be written"),
    );
  }

  /** Aborts runs that exceed their time-out or lease, and stops waiting for them. */
  #stopLateRuns(): void {
    const now = performance.now();
    for (const running of this.#running.values()) {
      if (running.ended !== null) continue;
      const { job, run, startedMs, leasedUntilMs, stop } = running;
      if (run !== null && now > leasedUntilMs) {
        running.ended = "abandoned";
        log.warn({ job: job.name }, "a job has lost its lease");
        stop.abort(new Error("the lease was lost"));
      } else if (now - startedMs > timeoutOf(job)) {
        const error = new Error(`no end within ${timeoutOf(job) / 1_000} s`);
        stop.abort(error);
        void this.#end(running, { result: "timed_out", handled: 0, problem: error });
      }
    }
  }

  async #extend(): Promise<void> {
    const dueMs = performance.now() + (this.#leaseMs * 2) / 3;
    const ownRuns = [...this.#running.values()].flatMap((running) =>
      running.run === null || running.ended !== null || running.leasedUntilMs > dueMs
        ? []
        : [{ name: running.job.name, run: running.run, running }],
    );
    if (ownRuns.length === 0) return;
    const askedMs = performance.now();
    const extended = await extendLeases(this.#options.db(), ownRuns, this.#leaseMs);
    for (const { name, running } of ownRuns)
      running.leasedUntilMs = extended.includes(name) ? askedMs + this.#leaseMs : Number.NEGATIVE_INFINITY;
  }
}

/** Abort reason of runs when their process stops. */
class Stopping extends Error {
  override readonly name = "Stopping";
  override readonly message = "the process stops";
}

const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll("\u0000", "").slice(0, MAX_ERROR_LENGTH);
