import { apiError } from "~/errors/app-error";

/** Maximum wait for a database that does not answer. */
export const UNAVAILABLE_AFTER_MS = 1_800;
/** Minimum patience with a slow database, for calls that do not wait for money. */
const SLOW_AFTER_MS = 10_000;
/** Maximum number of waiting calls in one process; each keeps its request in memory. */
export const MAX_QUEUED = 8_192;

/** Times of `performance.now()`. `queuedMs`: when the call last began to wait for the database. */
type Queued = { readonly arrivedMs: number; readonly queuedMs: number; readonly waitsFor: string | null };

/**
 * Whether a call still waits for the database. `silent`: the database has answered nothing for 1.8 seconds of the call's wait.
 * `busy`: the database answers, but the call's patience is over. That is at least ten seconds for a call that waits for no money.
 */
export function patienceOf(
  { arrivedMs, queuedMs, waitsFor }: Queued,
  at: { nowMs: number; answeredMs: number; patienceMs: number },
): "waits" | "silent" | "busy" {
  if (at.nowMs - Math.max(queuedMs, at.answeredMs) > UNAVAILABLE_AFTER_MS) return "silent";
  const patienceMs = waitsFor === null ? Math.max(at.patienceMs, SLOW_AFTER_MS) : at.patienceMs;
  return at.nowMs - arrivedMs >= patienceMs ? "busy" : "waits";
}

/** The database is unreachable or does not answer. */
export const unavailable = (reason: string) =>
  apiError("billing_unavailable", { retryAfterSeconds: 2, about: { reason } });

/** The database answers, but cannot serve all calls in time. */
export const atCapacity = (reason: string) => apiError("capacity_exceeded", { about: { reason } });
