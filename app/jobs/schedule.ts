import type { Job } from "./shared";

const JITTER = 0.1;
const FIRST_RETRY_MS = 10_000;
const MIN_LONGEST_RETRY_MS = 60_000;
const TIMEOUT_MS = 300_000;

type Rhythm = Pick<Job, "everyMs" | "jitter" | "timeoutMs" | "scope">;

/**
 * Returns the pause after a run in milliseconds: the job's interval, with jitter. After a failure the pause is shorter,
 * and doubles with every further failure, up to the interval, or up to a minute if the interval is shorter.
 */
export function restAfter(job: Rhythm, { failures, random }: { failures: number; random: number }): number {
  return Math.round(retryAfter(job, failures) * (1 + (job.jitter ?? JITTER) * (2 * random - 1)));
}

function retryAfter({ everyMs, scope }: Rhythm, failures: number): number {
  if (failures === 0) return everyMs;
  // No other process does the work of a job of scope `process`, so its pause never exceeds its interval.
  const longest = scope === "process" ? everyMs : Math.max(everyMs, MIN_LONGEST_RETRY_MS);
  return Math.min(longest, Math.min(everyMs, FIRST_RETRY_MS) * 2 ** Math.min(failures - 1, 30));
}

export const timeoutOf = ({ timeoutMs = TIMEOUT_MS }: Rhythm): number => timeoutMs;

/** Time without a success after which a job is late: three intervals and the time-out of a run. */
export const lateAfter = (job: Rhythm): number => 3 * job.everyMs + timeoutOf(job);
