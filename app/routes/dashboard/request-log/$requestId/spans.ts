import type { AttemptRecord } from "~/domain/accounting/shared";
import type { RequestDetail } from "~/domain/metering/shared";

type Times = Pick<RequestDetail, "attemptList" | "latencyMs" | "firstByteMs" | "stream">;

/** An attempt in two parts, where its answer came bit by bit: until the first byte, and from there to `endedMs`. */
export type TimedAttempt = AttemptRecord & { place: number; firstByteMs: number | null };

/** Where a request's time went: gw's own before the first attempt and behind the last one, and each attempt. Milliseconds. */
type Timing = { beforeMs: number; attempts: TimedAttempt[]; settledFromMs: number };

export function timingOf({ attemptList, latencyMs, firstByteMs, stream }: Times): Timing {
  const attempts = attemptList.map((attempt, index): TimedAttempt => {
    const isLast = index === attemptList.length - 1;
    const isAnswer = isLast && attempt.outcome === "delivered" && firstByteMs !== null;
    // Older rows end a streamed attempt when its stream begins.
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

/** Two clocks' readings of one moment lie no further apart. */
const SAME_MOMENT_MS = 2;
