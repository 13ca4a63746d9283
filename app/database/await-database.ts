import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError } from "~/config/error";
import { isDatabaseAway } from "~/connection/database-problem";
import { log } from "~/observe/log.server";

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 2_000;
const TOLD_EVERY_MS = 10_000;
const CLOCK = { now: () => performance.now(), sleep: (ms: number): Promise<unknown> => sleep(ms) };

/** Network errors of a database that may still be starting: no listener, unknown host name, no route, or no answer. */
const NETWORK = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ENOENT",
]);

/**
 * Runs `work` on a database at start-up, and retries for up to `waitMs` while the database is unreachable, as it may be
 * starting too. `work` must be safe to repeat. Logs every ten seconds that it is waiting.
 * @throws ConfigError, with a one-line message, when the database is still unreachable then; other errors at once,
 *   unchanged.
 */
export async function whenReachable<T>(
  { name, waitMs }: { name: string; waitMs: number },
  work: () => Promise<T>,
  clock = CLOCK,
): Promise<T> {
  const began = clock.now();
  let toldAt = Number.NEGATIVE_INFINITY;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error)) throw error;
      const waitedMs = clock.now() - began;
      if (waitedMs + pauseMs > waitMs) throw new ConfigError(`${name} does not answer: ${oneLine(error)}`);
      if (clock.now() - toldAt >= TOLD_EVERY_MS) {
        toldAt = clock.now();
        const seconds = Math.round(waitedMs / 1_000);
        log.warn({ seconds, atMost: waitMs / 1_000 }, `waiting for ${name}: ${oneLine(error)}`);
      }
      await clock.sleep(pauseMs);
    }
  }
}

/** Whether the database was unreachable, starting or out of connections, as opposed to rejecting a statement. */
function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway);
  if (!(error instanceof Error) || error instanceof ConfigError) return false;
  return isDatabaseAway(error) || NETWORK.has(String((error as { code?: unknown }).code)) || isAway(error.cause);
}

/** Returns the message of an error as one line; for an AggregateError, those of all its errors. */
export function oneLine(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(oneLine).join(", ");
  const lines = (error instanceof Error ? error.message : String(error)).split("\n").map((line) => line.trim());
  // Prisma's messages begin with an empty line and the code location of the call.
  return lines.findLast((line) => line !== "") ?? "no reason given";
}
