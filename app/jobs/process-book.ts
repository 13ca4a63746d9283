import type { Job, JobOutcome } from "./shared";

type Entry = {
  dueMs: number;
  requested: boolean;
  runningSince: Date | null;
  failures: number;
  last: JobOutcome | null;
  /** End of the last run with any result, in this process's monotonic clock; initially the start of the process. */
  endedMs: number;
  succeededMs: number;
};
type End = { outcome: Omit<JobOutcome, "process">; failures: number; restMs: number };

/** State of the jobs that every process runs for itself; in memory only, because these jobs end with their process. */
export class ProcessBook {
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #instance: string;

  constructor(jobs: readonly Job[], instance: string) {
    const now = performance.now();
    this.#instance = instance;
    this.#entries = new Map(
      jobs.map(({ name }): [string, Entry] => [
        name,
        { dueMs: now, requested: false, runningSince: null, failures: 0, last: null, endedMs: now, succeededMs: now },
      ]),
    );
  }

  /** Returns the names of the jobs that are due. */
  due(): string[] {
    const now = performance.now();
    return [...this.#entries].flatMap(([name, { dueMs }]) => (dueMs <= now ? [name] : []));
  }

  /** Makes a job due at once. */
  request(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    entry.dueMs = performance.now();
    entry.requested = true;
  }

  takeRequest(name: string): boolean {
    const entry = this.#entries.get(name);
    if (entry === undefined) return false;
    const { requested } = entry;
    entry.requested = false;
    return requested;
  }

  failuresOf(name: string): number {
    return this.#entries.get(name)?.failures ?? 0;
  }

  began(name: string, at: Date): void {
    const entry = this.#entries.get(name);
    if (entry !== undefined) entry.runningSince = at;
  }

  ended(name: string, { outcome, failures, restMs }: End): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    const now = performance.now();
    entry.runningSince = null;
    entry.last = { ...outcome, process: this.#instance };
    entry.failures = failures;
    entry.endedMs = now;
    if (outcome.result === "succeeded") entry.succeededMs = now;
    entry.dueMs = entry.requested ? now : now + restMs;
  }

  /** Returns the state of a job; null if it is not a job of scope `process`. */
  read(name: string): { runningSince: Date | null; failures: number; last: JobOutcome | null; nextRunAt: Date } | null {
    const entry = this.#entries.get(name);
    if (entry === undefined) return null;
    const { runningSince, failures, last, dueMs } = entry;
    return { runningSince, failures, last, nextRunAt: new Date(Date.now() + dueMs - performance.now()) };
  }

  /** Milliseconds since a run of a job ended, and since one succeeded. */
  silenceOf(name: string): { endedMs: number; succeededMs: number } {
    const now = performance.now();
    const { endedMs = now, succeededMs = now } = this.#entries.get(name) ?? {};
    return { endedMs: now - endedMs, succeededMs: now - succeededMs };
  }
}
