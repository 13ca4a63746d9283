import type { LineAnswer } from "./execute-line";

/** The next step after the call of a line. */
export type NextStep =
  /** The line has ended: with its answer, or with an error that another try would not change. */
  | { kind: "end" }
  /** The line is tried again later; other lines continue. */
  | { kind: "retry"; seconds: number }
  /** Starts no line of the batch for this time, because the reason applies to all of its lines. */
  | { kind: "pause"; seconds: number }
  /** There is not enough money for the line. */
  | { kind: "short" };

/** Maximum tries of a line whose suppliers fail. */
const MAX_TRIES = 4;
const MAX_WAIT_SECONDS = 300;

/** Error codes that concern the key, its payer or this gateway, not the line. */
const OF_ALL_LINES = new Set([
  ...["rate_limit_exceeded", "billing_unavailable", "auth_unavailable", "service_unavailable", "capacity_exceeded"],
  "pod_draining",
]);
const OF_MONEY = new Set(["billing_limit_reached", "budget_exceeded"]);

/** Returns the next step for a line after this number of tries. */
export function nextStep(answer: LineAnswer, tries: number): NextStep {
  const { code, retryAfter, isUnknown, mayRetry, status } = answer;
  if (code === null || isUnknown) return { kind: "end" };
  if (OF_MONEY.has(code)) return { kind: "short" };
  if (code === "operation_in_progress") return { kind: "retry", seconds: waitOf(retryAfter ?? 5) };
  if (OF_ALL_LINES.has(code)) return { kind: "pause", seconds: waitOf(retryAfter ?? 5) };
  const isPassing = mayRetry && (status === 429 || status >= 500);
  if (!isPassing || tries >= MAX_TRIES) return { kind: "end" };
  return { kind: "retry", seconds: waitOf(Math.max(retryAfter ?? 0, 2 ** tries)) };
}

const waitOf = (seconds: number): number => Math.min(Math.max(seconds, 1), MAX_WAIT_SECONDS);
