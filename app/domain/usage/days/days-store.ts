import type { Db } from "~/connection/db.server";

/**
 * Closes the days that ended at least an hour ago. If a call of a closed day is booked later, `usage_late` records the
 * day, which is then summed again.
 */
export async function closeDays(db: Db): Promise<void> {
  await db.$executeRaw`
    UPDATE usage_days SET closed_before = date_trunc('day', app_now() - interval '1 hour', 'UTC')
     WHERE closed_before < date_trunc('day', app_now() - interval '1 hour', 'UTC')`;
}

/**
 * Returns the ids of transactions that are writing to `usage_hour` now. They may have read `closed_before` as it was
 * before `closeDays`. Transactions that begin to write later read the new value, because a statement locks its tables
 * before it takes its snapshot.
 */
export async function findPostings(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ posting: string }[]>`
    SELECT virtualtransaction AS posting FROM pg_locks
     WHERE locktype = 'relation' AND relation = 'usage_hour'::regclass AND mode = 'RowExclusiveLock'
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid <> pg_backend_pid()`;
  return rows.map(({ posting }) => posting);
}

/** Sums one closed day that has no sums, or calls that were booked after them. Returns whether there was one. */
export async function addUpNextDay(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ done: boolean }[]>`SELECT usage_add_up_next() AS done`;
  return row?.done ?? false;
}
