import type { Db } from "~/connection/db.server";
import { ownedBy } from "~/domain/keys/index.server";
import type { KeyOwner } from "~/domain/keys/shared";

type Row = { id: string; content: string };

/** Inserts a response if its organisation is open and its person is not deleted. */
export async function insertRow(
  db: Db,
  { organisationId, userId }: KeyOwner,
  row: Row & { itemIds: readonly string[]; at: Date; days: number },
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO stored_response (organisation_id, id, user_id, item_ids, at, expires_at, content)
    SELECT o.id, ${row.id}, ${userId}::integer, ${[...row.itemIds]}::text[], ${row.at},
           ${row.at}::timestamptz + ${row.days}::integer * interval '1 day', ${row.content}
      FROM organisation o
     WHERE o.id = ${organisationId}::integer AND o.closed_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM app_user WHERE id = ${userId}::integer AND status = 'deleted')
       FOR SHARE OF o
    ON CONFLICT DO NOTHING`;
}

export async function findRow(db: Db, owner: KeyOwner, id: string): Promise<Row | null> {
  const [row] = await db.$queryRaw<Row[]>`
    SELECT id, content FROM stored_response WHERE ${ownedBy(owner)} AND id = ${id} AND expires_at > now()`;
  return row ?? null;
}

/** Returns the newest responses whose output contains any of the items, up to `maxBytes`. */
export const findRowsOfItems = (
  db: Db,
  owner: KeyOwner,
  { ids, maxBytes }: { ids: readonly string[]; maxBytes: number },
): Promise<Row[]> =>
  db.$queryRaw<Row[]>`
    SELECT id, content FROM (
      SELECT id, content, sum(octet_length(content)) OVER (ORDER BY at DESC, id) AS bytes FROM stored_response
       WHERE ${ownedBy(owner)} AND item_ids && ${[...ids]}::text[] AND expires_at > now()
    ) AS fitting WHERE bytes <= ${maxBytes}::bigint LIMIT ${ids.length}::integer`;

/** Deletes an owner's oldest responses beyond `maxBytes`. */
export const deleteOldest = (db: Db, owner: KeyOwner, maxBytes: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM stored_response WHERE ${ownedBy(owner)} AND id IN (
      SELECT id FROM (
        SELECT id, sum(octet_length(content)) OVER (ORDER BY at DESC, id) AS bytes FROM stored_response WHERE ${ownedBy(owner)}
      ) AS all_of_them WHERE bytes > ${maxBytes}::bigint)`;

export const deleteRow = (db: Db, owner: KeyOwner, id: string): Promise<number> =>
  db.$executeRaw`DELETE FROM stored_response WHERE ${ownedBy(owner)} AND id = ${id}`;

export const deleteExpired = (db: Db, maximum: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM stored_response WHERE (organisation_id, id) IN (
      SELECT organisation_id, id FROM stored_response WHERE expires_at <= now() ORDER BY expires_at LIMIT ${maximum}::integer)`;
