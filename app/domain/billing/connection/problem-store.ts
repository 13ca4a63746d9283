import type { Db } from "~/connection/db.server";
import type { ConnectionProblem, ConnectionProblemKind } from "../shared";

const MAX_DETAIL_LENGTH = 500;

/** Records a problem, or that it still exists; returns whether it is new. */
export async function putProblem(db: Db, kind: ConnectionProblemKind, detail: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ isNew: boolean }[]>`
    INSERT INTO processor_problem (kind, detail) VALUES (${kind}, ${detail.slice(0, MAX_DETAIL_LENGTH)})
    ON CONFLICT (kind) DO UPDATE SET detail = excluded.detail, seen_at = app_now()
    RETURNING xmax = 0 AS "isNew"`;
  return row!.isNew;
}

export async function deleteProblems(db: Db, kinds: readonly ConnectionProblemKind[]): Promise<void> {
  await db.$executeRaw`DELETE FROM processor_problem WHERE kind = ANY (${[...kinds]}::text[])`;
}

/** Deletes problems that were not detected for a number of days. */
export async function deleteUnseen(db: Db, days: number): Promise<void> {
  await db.$executeRaw`DELETE FROM processor_problem WHERE seen_at < app_now() - make_interval(days => ${days}::int)`;
}

export function listProblems(db: Db): Promise<ConnectionProblem[]> {
  return db.$queryRaw`SELECT kind, detail, since FROM processor_problem ORDER BY since, kind`;
}

/** Returns whether an event about an object of gw was delivered within a number of days. */
export async function hasDelivered(db: Db, days: number): Promise<boolean> {
  const [row] = await db.$queryRaw<unknown[]>`
    SELECT 1 AS one FROM processor_event
     WHERE state = 'applied' AND NOT found AND received_at > app_now() - make_interval(days => ${days}::int) LIMIT 1`;
  return row !== undefined;
}

/** Returns the state of an event; null: it is not recorded. */
export async function findEventState(db: Db, id: string): Promise<string | null> {
  const [row] = await db.$queryRaw<{ state: string }[]>`SELECT state FROM processor_event WHERE id = ${id}`;
  return row?.state ?? null;
}
