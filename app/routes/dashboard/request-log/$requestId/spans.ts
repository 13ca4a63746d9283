import type { AttemptRecord } from "~/domain/accounting/shared";
import type { RequestDetail } from "~/domain/request-log/shared";

type Times = Pick<RequestDetail, "attemptList" | "latencyMs" | "firstByteMs" | "stream">;

/** An attempt; a streamed answer has two parts: until the first byte, and from there to `endedMs`. */
export type TimedAttempt = AttemptRecord & { place: number; firstByteMs: number | null };

/**
 * Where a request's time was spent: in gw before the first attempt, in each attempt, and in gw after the last one.
 * Milliseconds.
 */
type Timing = { beforeMs: number; attempts: TimedAttempt[]; settledFromMs: number };

export function timingOf({ attemptList, latencyMs, firstByteMs, stream }: Times): Timing {
  const attempts = attemptList.map((attempt, index): TimedAttempt => {
    const isLast = index === attemptList.length - 1;
    const isAnswer = isLast && attempt.outcome === "delivered" && firstByteMs !== null;
    // In older rows a streamed attempt ends when its stream starts.
    const endedEarly = isAnswer && stream && attempt.endedMs - firstByteMs <= SAME_MOMENT_MS;
    const endedMs = endedEarly ? Math.max(attempt.endedMs, latencyMs) : attempt.endedMs;
    const hasParts = isAnswer && firstByteMs > attempt.startedMs && firstByteMs < endedMs;
    return { ...attempt, endedMs, place: index + 1, firstByteMs: hasParts ? firstByteMs : null };
  });
  return {
    beforeMs: attempts[0]?.startedMs ?? latencyMs,
    attempts,
    settledFromMs: attempts.at(-1)?.endedMs ?? latencyMs,
  };
}

/** Maximum difference between two clocks' readings of the same moment. */
const SAME_MOMENT_MS = 2;
