import type { Db } from "~/db.server";

/** Closes the days that ended an hour ago: who posts into one of them from now on says so. */
export async function closeDays(db: Db): Promise<void> {
  await db.$executeRaw`
    UPDATE usage_days SET closed_before = date_trunc('day', app_now() - interval '1 hour', 'UTC')
     WHERE closed_before < date_trunc('day', app_now() - interval '1 hour', 'UTC')`;
}

/**
 * Transactions that are writing sums of hours at this moment. They may have looked at what is closed before it was; each that comes later
 * looks at it afterwards, since a statement locks its tables before it takes its snapshot.
 */
export async function findPostings(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ posting: string }[]>`
    SELECT virtualtransaction AS posting FROM pg_locks
     WHERE locktype = 'relation' AND relation = 'usage_hour'::regclass AND mode = 'RowExclusiveLock'
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid <> pg_backend_pid()`;
  return rows.map(({ posting }) => posting);
}

/** Adds up one day that is closed and not complete, or one into which somebody has posted since. Answers whether there was one. */
export async function addUpNextDay(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ done: boolean }[]>`SELECT usage_add_up_next() AS done`;
  return row?.done ?? false;
}
