import { apiError } from "~/errors/app-error";

/** How long a call waits for a database that does not answer. */
export const UNAVAILABLE_AFTER_MS = 1_800;
/** How long a call waits for a database that answers, only slowly, however little patience it has for money. */
const SLOW_AFTER_MS = 10_000;
/** More calls than this do not wait in one process: each keeps its request in memory. */
export const MAX_QUEUED = 8_192;

/** Times of `performance.now()`. `queuedMs`: when it last began to wait for the database. */
type Queued = { readonly arrivedMs: number; readonly queuedMs: number; readonly waitsFor: string | null };

/**
 * Whether a call goes on waiting for the database. It does while answers come back, however slowly, up to its whole patience
 * (`busy`), which for a call that waits for no money is ten seconds at least; a database that has not answered anything since the call began to wait, or for as long, is not there (`silent`).
 */
export function patienceOf(
  { arrivedMs, queuedMs, waitsFor }: Queued,
  at: { nowMs: number; answeredMs: number; patienceMs: number },
): "waits" | "silent" | "busy" {
  if (at.nowMs - Math.max(queuedMs, at.answeredMs) > UNAVAILABLE_AFTER_MS) return "silent";
  const patienceMs = waitsFor === null ? Math.max(at.patienceMs, SLOW_AFTER_MS) : at.patienceMs;
  return at.nowMs - arrivedMs >= patienceMs ? "busy" : "waits";
}

/** The database cannot be asked, or does not answer. */
export const unavailable = (reason: string) =>
  apiError("billing_unavailable", { retryAfterSeconds: 2, about: { reason } });

/** The database answers, and there are more calls than it can serve in time. */
export const atCapacity = (reason: string) => apiError("capacity_exceeded", { about: { reason } });
