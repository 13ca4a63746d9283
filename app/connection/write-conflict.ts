/** Prisma's code for both states in its own statements; for raw SQL, Prisma passes the driver's error on. */
const WRITE_CONFLICT = "P2034";
/**
 * PostgreSQL's states of a transaction that was rolled back because of concurrent ones: serialisation failure,
 * deadlock.
 */
const SQL_STATES: ReadonlySet<unknown> = new Set(["40001", "40P01"]);
const MAX_CAUSES = 5;

type Problem = { code?: unknown; originalCode?: unknown; cause?: unknown; meta?: { driverAdapterError?: unknown } };

/** Whether a transaction was rolled back because of concurrent ones, so that a retry may succeed. */
export function isConflict(error: unknown): boolean {
  let each = error as Problem | null | undefined;
  for (let depth = 0; typeof each === "object" && each !== null && depth < MAX_CAUSES; depth += 1) {
    if (each.code === WRITE_CONFLICT || SQL_STATES.has(each.code) || SQL_STATES.has(each.originalCode)) return true;
    each = (each.meta?.driverAdapterError ?? each.cause) as typeof each;
  }
  return false;
}
