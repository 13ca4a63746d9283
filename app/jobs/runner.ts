import type { Db } from "~/db.server";
import { log } from "~/log.server";
import { withTimeout } from "~/with-timeout";
import { ProcessBook } from "./process-book";
import { restAfter, timeoutOf } from "./schedule";
import type { Job, JobResult } from "./shared";
import { claimDueJobs, endLeases, extendLeases, finishRun, insertJobs } from "./store";

export type RunnerOptions = {
  db: () => Db;
  jobs: readonly Job[];
  /** Names this process in leases and in what is remembered. */
  instance: string;
  /** Only this process uses the database: leases of others are those of dead ones. */
  alone: boolean;
  leaseMs?: number;
  /** From 0 to 1; moves the turns. */
  random?: () => number;
};

/** A run under way. `run`: which one it is in the database; null for a job of the process. */
type Running = {
  job: Job;
  run: bigint | null;
  requested: boolean;
  failures: number;
  startedAt: Date;
  startedMs: number;
  /** Until when the lease is known to be ours, in this process's clock. */
  leasedUntilMs: number;
  stop: AbortController;
  /** How it ended, once nobody waits for its work any more. */
  ended: JobResult | null;
  done: Promise<void>;
};
type Ending = { result: JobResult; handled: number; problem: unknown };

/** Long enough for a busy process to extend it, short enough that nobody misses the work of a dead one. */
const LEASE_MS = 15_000;
const TICK_MS = 1_000;
const MAX_ERROR_LENGTH = 300;

/**
 * Runs the jobs of one process, and takes its part in those of the installation: of all runners on a database one has the lease
 * of a job, and whoever has it runs it. No job runs twice at once, unless a run outlives its timeout or its lease; it is told to stop then.
 * A job that fails, hangs or loses its process stops no other.
 */
export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #jobs: ReadonlyMap<string, Job>;
  readonly #leaseMs: number;
  readonly #random: () => number;
  /** By name. A run that timed out stays here until its work ends: this process does not begin the job again before. */
  readonly #running = new Map<string, Running>();
  /** How the jobs of this process stand. */
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

  /** Looks for what is due, now and every second. */
  start(): void {
    this.#timer = setInterval(() => void this.tick(), TICK_MS).unref();
    void this.tick();
  }

  /** Makes a job of this process due at once; without a name, looks for what is due. */
  wake(name?: string): void {
    if (name !== undefined) this.book.request(name);
    void this.tick();
  }

  /**
   * Starts what is due. Resolves when the database was asked for the jobs of the installation; those of the process never wait
   * for that. Never rejects: without a database the next look is a second later.
   */
  tick(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    for (const name of this.book.due()) if (!this.#running.has(name)) this.#begin(this.#jobs.get(name)!, null);
    this.#stopLateRuns();
    this.#looking ??= this.#look()
      .catch((problem) => log.warn({ err: problem }, "the jobs that are due could not be read"))
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  /** Waits for all runs that this runner has begun. */
  async idle(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** Begins nothing new, tells all runs to stop and waits for them, at most so long. Returns whether all of them ended. */
  async stop(withinMs = 10_000): Promise<boolean> {
    this.#stopped = true;
    clearInterval(this.#timer);
    const ending = this.#stopRuns();
    await withTimeout(ending, withinMs).catch(() => undefined);
    const left = [...this.#running.keys()];
    if (left.length > 0) log.warn({ jobs: left }, "jobs did not stop in time");
    return left.length === 0;
  }

  async #stopRuns(): Promise<void> {
    const stopThem = () => this.#running.forEach(({ stop }) => void stop.abort(new Stopping()));
    stopThem();
    // What a look that was under way has begun is told too.
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
      // A stop that comes at once reaches the job before its first step.
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

  /** Writes down how a run ended, and when the next one is. */
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
      // The lease runs out, and the next one to claim the job remembers that this run was abandoned.
      log.warn({ err: cause, job: job.name }, "how a job ended could not be written"),
    );
  }

  /** Runs that take too long, or whose lease is over, are told to stop and waited for no longer. */
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
        const problem = new Error(`no end within ${timeoutOf(job) / 1_000} s`);
        stop.abort(problem);
        void this.#end(running, { result: "timed_out", handled: 0, problem });
      }
    }
  }

  async #extend(): Promise<void> {
    const dueMs = performance.now() + (this.#leaseMs * 2) / 3;
    const mine = [...this.#running.values()].flatMap((running) =>
      running.run === null || running.ended !== null || running.leasedUntilMs > dueMs
        ? []
        : [{ name: running.job.name, run: running.run, running }],
    );
    if (mine.length === 0) return;
    const askedMs = performance.now();
    const kept = await extendLeases(this.#options.db(), mine, this.#leaseMs);
    for (const { name, running } of mine)
      running.leasedUntilMs = kept.includes(name) ? askedMs + this.#leaseMs : Number.NEGATIVE_INFINITY;
  }
}

/** Why runs are told to stop when their process stops. */
class Stopping extends Error {
  override readonly name = "Stopping";
  override readonly message = "the process stops";
}

const textOf = (problem: unknown): string =>
  (problem instanceof Error ? problem.message : String(problem)).replaceAll("\u0000", "").slice(0, MAX_ERROR_LENGTH);
