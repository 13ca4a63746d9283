/** Prisma's code for both states where the statement is one of its own; of one by hand it keeps what the driver said. */
const WRITE_CONFLICT = "P2034";
/** What PostgreSQL says of a transaction that it has undone for the sake of others: serialisation failure, deadlock. */
const SQL_STATES: ReadonlySet<unknown> = new Set(["40001", "40P01"]);
const MAX_CAUSES = 5;

type Problem = { code?: unknown; originalCode?: unknown; cause?: unknown; meta?: { driverAdapterError?: unknown } };

/** Whether a transaction was undone because of others at the same moment, so that a repetition may succeed. */
export function isConflict(problem: unknown): boolean {
  let each = problem as Problem | null | undefined;
  for (let depth = 0; typeof each === "object" && each !== null && depth < MAX_CAUSES; depth += 1) {
    if (each.code === WRITE_CONFLICT || SQL_STATES.has(each.code) || SQL_STATES.has(each.originalCode)) return true;
    each = (each.meta?.driverAdapterError ?? each.cause) as typeof each;
  }
  return false;
}
