import { type Db, sqlPool } from "~/connection/db.server";
import { ownedBy } from "~/domain/keys/index.server";
import type { KeyOwner } from "~/domain/keys/shared";
import { Prisma } from "~/generated/prisma/client";
import type { FilePage, FilePurpose, StoredFile } from "./shared";

type Row = Omit<StoredFile, "bytes"> & { bytes: bigint; dataKey: string };

const VIEW = Prisma.sql`id, purpose, filename, bytes, at, expires_at AS "expiresAt", data_key AS "dataKey"`;

/** Returns the number and total size of an owner's files. */
export async function sumOf(tx: Db, owner: KeyOwner): Promise<{ files: number; bytes: number }> {
  const [stored] = await tx.$queryRaw<{ files: number; bytes: bigint }[]>`
    SELECT count(*)::integer AS files, coalesce(sum(bytes), 0)::bigint AS bytes FROM stored_file WHERE ${ownedBy(owner)}`;
  return { files: stored?.files ?? 0, bytes: Number(stored?.bytes ?? 0) };
}

export async function insertFile(
  tx: Db,
  { organisationId, userId }: KeyOwner,
  file: { id: string; purpose: FilePurpose; filename: string; dataKey: string; seconds: number; bytes: number },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO stored_file (id, organisation_id, user_id, purpose, filename, bytes, data_key, at, expires_at)
    VALUES (${file.id}, ${organisationId}::integer, ${userId}::integer, ${file.purpose}, ${file.filename}, ${file.bytes}::bigint,
            ${file.dataKey}, now(), now() + ${file.seconds}::integer * interval '1 second')`;
}

/** Through `pg`, which sends bytes as binary; Prisma would send them as text that is 1.5 times as long. */
export async function insertPiece(piece: { id: string; position: number; content: Uint8Array }): Promise<void> {
  await sqlPool().query("INSERT INTO stored_file_piece (file_id, position, content) VALUES ($1, $2::int, $3::bytea)", [
    piece.id,
    piece.position,
    piece.content,
  ]);
}

export async function findPiece(id: string, position: number): Promise<Uint8Array | null> {
  const { rows } = await sqlPool().query<{ content: Buffer }>(
    "SELECT content FROM stored_file_piece WHERE file_id = $1 AND position = $2::int",
    [id, position],
  );
  return rows[0]?.content ?? null;
}

export async function putReady(tx: Db, { id, bytes }: { id: string; bytes: number }): Promise<StoredFile | null> {
  const [row] = await tx.$queryRaw<Row[]>`
    UPDATE stored_file SET ready = true, bytes = ${bytes}::bigint WHERE id = ${id} RETURNING ${VIEW}`;
  return row === undefined ? null : fileOf(row);
}

export async function findRow(db: Db, owner: KeyOwner, id: string): Promise<(StoredFile & { dataKey: string }) | null> {
  const [row] = await db.$queryRaw<Row[]>`
    SELECT ${VIEW} FROM stored_file WHERE id = ${id} AND ${ownedBy(owner)} AND ready AND expires_at > now()`;
  return row === undefined ? null : { ...fileOf(row), dataKey: row.dataKey };
}

export async function findRows(
  db: Db,
  owner: KeyOwner,
  { after, limit, order, purpose }: FilePage & { purpose: string | null },
): Promise<StoredFile[]> {
  const [behind, direction] = order === "asc" ? [Prisma.sql`>`, Prisma.sql`ASC`] : [Prisma.sql`<`, Prisma.sql`DESC`];
  const rows = await db.$queryRaw<Row[]>`
    SELECT ${VIEW} FROM stored_file
     WHERE ${ownedBy(owner)} AND ready AND expires_at > now() AND (${purpose}::text IS NULL OR purpose = ${purpose})
       AND (${after}::text IS NULL OR (at, id) ${behind} (SELECT at, id FROM stored_file WHERE id = ${after} AND ${ownedBy(owner)}))
     ORDER BY at ${direction}, id ${direction} LIMIT ${limit}::integer`;
  return rows.map(fileOf);
}

export const deleteRow = (db: Db, owner: KeyOwner, id: string): Promise<number> =>
  db.$executeRaw`DELETE FROM stored_file WHERE id = ${id} AND ${ownedBy(owner)} AND ready AND expires_at > now()`;

export const extendExpiry = (
  db: Db,
  owner: KeyOwner,
  { id, seconds }: { id: string; seconds: number },
): Promise<number> =>
  db.$executeRaw`
    UPDATE stored_file SET expires_at = greatest(expires_at, now() + ${seconds}::integer * interval '1 second')
     WHERE id = ${id} AND ${ownedBy(owner)} AND ready AND expires_at > now()`;

export const deleteOver = (db: Db, maximum: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM stored_file WHERE id IN (
      SELECT id FROM stored_file WHERE expires_at <= now() OR (NOT ready AND at < now() - interval '1 day')
       LIMIT ${maximum}::integer)`;

const fileOf = ({ id, purpose, filename, bytes, at, expiresAt }: Row): StoredFile => ({
  id,
  purpose,
  filename,
  at,
  expiresAt,
  bytes: Number(bytes),
});
