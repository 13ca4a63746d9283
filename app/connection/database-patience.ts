import { TimeoutError } from "../network/with-timeout";
import { databaseAnsweredMs } from "./db.server";

/** Maximum wait in milliseconds while the database sends no response at all. */
const SILENT_MS = 2_000;
/** Maximum wait in milliseconds while the database responds to other work. */
const PATIENCE_MS = 10_000;
/** Messages of the pool and of Prisma when no connection became free in time. */
const NO_CONNECTION = /timeout exceeded when trying to connect|Unable to start a transaction in the given time/;

/** The database responds but is overloaded: the work has waited for its maximum time. */
export class DatabaseBusy extends Error {
  override readonly name = "DatabaseBusy";
  override readonly message = "the database has too much to do";
}

/**
 * Waits for work on the database: up to ten seconds while the database responds to any query, two seconds otherwise.
 * The work may still complete later.
 * @throws TimeoutError when the database does not respond; DatabaseBusy
 */
export async function whileAnswering<Result>(
  work: Promise<Result>,
  answeredMs: () => number = databaseAnsweredMs,
): Promise<Result> {
  const beganMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const late = new Promise<never>((_, reject) => {
    const poll = () => {
      if (isOver) return;
      const nowMs = performance.now();
      const silentAtMs = Math.max(beganMs, answeredMs()) + SILENT_MS;
      if (nowMs >= silentAtMs) reject(new TimeoutError());
      else if (nowMs >= beganMs + PATIENCE_MS) reject(new DatabaseBusy());
      // Let the event loop read a response that arrived while this process was busy, before it counts as missing.
      else timer = setTimeout(() => setImmediate(poll), Math.min(silentAtMs, beganMs + PATIENCE_MS) - nowMs + 1);
    };
    poll();
  });
  return Promise.race([work, late]).finally(() => {
    isOver = true;
    clearTimeout(timer);
  });
}

/** Whether an error is a wait for other work, on a database that responds. */
export function isDatabaseBusy(error: unknown): boolean {
  if (error instanceof DatabaseBusy) return true;
  const hasNoConnection = error instanceof Error && NO_CONNECTION.test(error.message);
  return hasNoConnection && performance.now() - databaseAnsweredMs() < SILENT_MS;
}
