import { databaseAnsweredMs } from "./db.server";
import { TimeoutError } from "./with-timeout";

/** How long work waits for a database that does not answer anything. */
const SILENT_MS = 2_000;
/** How long it waits behind other work while the database answers. */
const PATIENCE_MS = 10_000;
/** What the pool and Prisma say where no connection came free in time. */
const NO_CONNECTION = /timeout exceeded when trying to connect|Unable to start a transaction in the given time/;

/** The database answers, and has too much to do: work has waited behind other work for as long as it may. */
export class DatabaseBusy extends Error {
  override readonly name = "DatabaseBusy";
  override readonly message = "the database has too much to do";
}

/**
 * Waits for work on the database: as long as the database answers anything, up to ten seconds, and two seconds where it does
 * not. The work may still come to its end behind that.
 * @throws TimeoutError where the database is silent; DatabaseBusy
 */
export async function whileAnswering<Result>(
  work: Promise<Result>,
  answeredMs: () => number = databaseAnsweredMs,
): Promise<Result> {
  const beganMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const late = new Promise<never>((_, reject) => {
    const look = () => {
      if (isOver) return;
      const nowMs = performance.now();
      const silentAtMs = Math.max(beganMs, answeredMs()) + SILENT_MS;
      if (nowMs >= silentAtMs) reject(new TimeoutError());
      else if (nowMs >= beganMs + PATIENCE_MS) reject(new DatabaseBusy());
      // An answer that came while this process was busy is read before it counts as missing.
      else timer = setTimeout(() => setImmediate(look), Math.min(silentAtMs, beganMs + PATIENCE_MS) - nowMs + 1);
    };
    look();
  });
  return Promise.race([work, late]).finally(() => {
    isOver = true;
    clearTimeout(timer);
  });
}

/** Whether a problem is that of waiting behind other work, on a database that answers. */
export function isDatabaseBusy(problem: unknown): boolean {
  if (problem instanceof DatabaseBusy) return true;
  const hasNoConnection = problem instanceof Error && NO_CONNECTION.test(problem.message);
  return hasNoConnection && performance.now() - databaseAnsweredMs() < SILENT_MS;
}
