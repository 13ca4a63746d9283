import type { Job } from "./shared";

const JITTER = 0.1;
const FIRST_RETRY_MS = 10_000;
const MIN_LONGEST_RETRY_MS = 60_000;
const TIMEOUT_MS = 300_000;

type Rhythm = Pick<Job, "everyMs" | "jitter" | "timeoutMs" | "scope">;

/**
 * How long a job rests after a run, in milliseconds: its time, moved by its jitter at most. After failures it is tried again
 * sooner, ever more rarely, and in the end in its own time, or once a minute where that is more often.
 */
export function restAfter(job: Rhythm, { failures, random }: { failures: number; random: number }): number {
  return Math.round(retryAfter(job, failures) * (1 + (job.jitter ?? JITTER) * (2 * random - 1)));
}

function retryAfter({ everyMs, scope }: Rhythm, failures: number): number {
  if (failures === 0) return everyMs;
  // What a process does for itself nobody else does meanwhile: it rests no longer than its time.
  const longest = scope === "process" ? everyMs : Math.max(everyMs, MIN_LONGEST_RETRY_MS);
  return Math.min(longest, Math.min(everyMs, FIRST_RETRY_MS) * 2 ** Math.min(failures - 1, 30));
}

export const timeoutOf = ({ timeoutMs = TIMEOUT_MS }: Rhythm): number => timeoutMs;

/** After so long without a success something is wrong: three turns, and the time that a run may take. */
export const lateAfter = (job: Rhythm): number => 3 * job.everyMs + timeoutOf(job);
