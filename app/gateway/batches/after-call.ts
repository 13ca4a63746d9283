import type { LineAnswer } from "./execute-line";

/** What follows from how the call of a line went. */
export type NextStep =
  /** The line has ended: with its answer, or with a refusal that another try would not change. */
  | { kind: "end" }
  /** The line is tried again; others go on. */
  | { kind: "retry"; seconds: number }
  /** No line of the batch is begun for so long: what refused this one would refuse the others. */
  | { kind: "pause"; seconds: number }
  /** There is no money for it. */
  | { kind: "short" };

/** So often a line is tried whose suppliers fail. */
const MAX_TRIES = 4;
const MAX_WAIT_SECONDS = 300;

/** What the key, its payer or this gateway says, and not the line. */
const OF_ALL_LINES = new Set([
  ...["rate_limit_exceeded", "billing_unavailable", "auth_unavailable", "service_unavailable", "capacity_exceeded"],
  "pod_draining",
]);
const OF_MONEY = new Set(["billing_limit_reached", "budget_exceeded"]);

/** Decides about a line that has been tried so often. */
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
