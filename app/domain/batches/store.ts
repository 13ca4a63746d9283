import type { Db } from "~/connection/db.server";
import { ownedBy } from "~/domain/keys/index.server";
import type { KeyOwner } from "~/domain/keys/shared";
import { Prisma } from "~/generated/prisma/client";
import type { Batch, BatchError, BatchLine, BatchOutcome, CheckedLine } from "./shared";

export const VIEW = Prisma.sql`
  id, organisation_id AS "organisationId", user_id AS "userId", key_id AS "keyId", endpoint, input_file_id AS "inputFileId",
  output_file_id AS "outputFileId", error_file_id AS "errorFileId", state, outcome, errors, metadata,
  output_seconds AS "outputSeconds", (
    SELECT coalesce(jsonb_agg(jsonb_build_object('supplier', s.supplier, 'lines', s.lines, 'status', s.state, 'reason', s.reason)
                              ORDER BY s.created_at, s.id), '[]')
      FROM supplier_batch s WHERE s.batch_id = batch.id) AS processing, total, completed, failed, created_at AS "createdAt", expires_at AS "expiresAt",
  begun_at AS "begunAt", finalizing_at AS "finalizingAt", cancelling_at AS "cancellingAt", ended_at AS "endedAt"`;

/** Counts an owner's open batches. */
export async function countOpen(tx: Db, owner: KeyOwner): Promise<number> {
  const [row] = await tx.$queryRaw<{ open: number }[]>`
    SELECT count(*)::integer AS open FROM batch WHERE ${ownedBy(owner)} AND ended_at IS NULL`;
  return row?.open ?? 0;
}

export async function insertBatch(
  tx: Db,
  { organisationId, userId }: KeyOwner,
  row: Pick<Batch, "id" | "keyId" | "endpoint" | "inputFileId" | "metadata" | "outputSeconds">,
): Promise<Batch> {
  const metadata = row.metadata === null ? null : JSON.stringify(row.metadata);
  const [made] = await tx.$queryRaw<Batch[]>`
    INSERT INTO batch (id, organisation_id, user_id, key_id, endpoint, input_file_id, metadata, output_seconds, created_at, expires_at)
    VALUES (${row.id}, ${organisationId}::integer, ${userId}::integer, ${row.keyId}::integer, ${row.endpoint}, ${row.inputFileId},
            ${metadata}::jsonb, ${row.outputSeconds}::integer, now(), now() + interval '24 hours')
    RETURNING ${VIEW}`;
  return made as Batch;
}

export async function findRow(db: Db, owner: KeyOwner, id: string): Promise<Batch | null> {
  const [row] = await db.$queryRaw<Batch[]>`SELECT ${VIEW} FROM batch WHERE id = ${id} AND ${ownedBy(owner)}`;
  return row ?? null;
}

export const findRows = (
  db: Db,
  owner: KeyOwner,
  { after, limit }: { after: string | null; limit: number },
): Promise<Batch[]> =>
  db.$queryRaw<Batch[]>`
    SELECT ${VIEW} FROM batch
     WHERE ${ownedBy(owner)}
       AND (${after}::text IS NULL OR (created_at, id) < (SELECT created_at, id FROM batch WHERE id = ${after} AND ${ownedBy(owner)}))
     ORDER BY created_at DESC, id DESC LIMIT ${limit}::integer`;

export async function putCancelling(db: Db, owner: KeyOwner, id: string): Promise<Batch | null> {
  const [row] = await db.$queryRaw<Batch[]>`
    UPDATE batch SET state = 'cancelling', outcome = 'cancelled', cancelling_at = now()
     WHERE id = ${id} AND ${ownedBy(owner)} AND state IN ('validating', 'in_progress') RETURNING ${VIEW}`;
  return row ?? null;
}

export async function isInputInUse(db: Db, owner: KeyOwner, fileId: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM batch WHERE ${ownedBy(owner)} AND input_file_id = ${fileId} AND ended_at IS NULL LIMIT 1`;
  return rows.length > 0;
}

export const findOpen = (db: Db): Promise<Batch[]> =>
  db.$queryRaw<Batch[]>`SELECT ${VIEW} FROM batch WHERE ended_at IS NULL ORDER BY created_at LIMIT 1000`;

export const putRefused = (db: Db, id: string, errors: readonly BatchError[]): Promise<number> =>
  db.$executeRaw`
    UPDATE batch SET state = 'failed', outcome = 'failed', errors = ${JSON.stringify(errors)}::jsonb, ended_at = now()
     WHERE id = ${id} AND state = 'validating'`;

export const putBegun = (tx: Db, id: string, total: number): Promise<number> =>
  tx.$executeRaw`
    UPDATE batch SET state = 'in_progress', total = ${total}::integer, begun_at = now() WHERE id = ${id} AND state = 'validating'`;

export async function insertLines(tx: Db, id: string, lines: readonly CheckedLine[]): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO batch_line (batch_id, position, at, bytes, route_id)
    SELECT ${id}, position, at, bytes, route_id
      FROM unnest(${lines.map(({ position }) => position)}::integer[], ${lines.map(({ at }) => at)}::bigint[],
                  ${lines.map(({ bytes }) => bytes)}::integer[], ${lines.map(({ routeId }) => routeId)}::integer[])
             AS line (position, at, bytes, route_id)`;
}

const LINE = Prisma.sql`position, at::float8 AS at, bytes, tries, begun_at IS NOT NULL AS begun`;

export const findDue = (
  db: Db,
  id: string,
  { except, limit }: { except: readonly number[]; limit: number },
): Promise<BatchLine[]> =>
  db.$queryRaw<BatchLine[]>`
    SELECT ${LINE} FROM batch_line
     WHERE batch_id = ${id} AND failed IS NULL AND route_id IS NULL AND (not_before IS NULL OR not_before <= now())
       AND position <> ALL (${[...except]}::integer[])
     ORDER BY position LIMIT ${limit}::integer`;

export const findOpenLines = (
  db: Db,
  id: string,
  { after, limit, begun }: { after: number; limit: number; begun: boolean },
): Promise<BatchLine[]> =>
  db.$queryRaw<BatchLine[]>`
    SELECT ${LINE} FROM batch_line
     WHERE batch_id = ${id} AND failed IS NULL AND position > ${after}::integer
       AND (NOT ${begun}::boolean OR begun_at IS NOT NULL)
     ORDER BY position LIMIT ${limit}::integer`;

export const putLineBegun = (db: Db, id: string, position: number): Promise<number> =>
  db.$executeRaw`
    UPDATE batch_line l SET begun_at = coalesce(l.begun_at, now()), tries = l.tries + 1
      FROM batch b
     WHERE l.batch_id = ${id} AND l.position = ${position}::integer AND l.failed IS NULL AND b.id = l.batch_id
       AND b.state = 'in_progress' AND b.expires_at > now()`;

export const clearLineBegun = (db: Db, id: string, position: number): Promise<number> =>
  db.$executeRaw`
    UPDATE batch_line SET begun_at = NULL WHERE batch_id = ${id} AND position = ${position}::integer AND failed IS NULL`;

export const putTryBack = (db: Db, id: string, position: number): Promise<number> =>
  db.$executeRaw`
    UPDATE batch_line SET tries = greatest(tries - 1, 0)
     WHERE batch_id = ${id} AND position = ${position}::integer AND failed IS NULL`;

export const putLineLater = (
  db: Db,
  id: string,
  { position, seconds }: { position: number; seconds: number },
): Promise<number> =>
  db.$executeRaw`
    UPDATE batch_line SET not_before = now() + ${seconds}::float8 * interval '1 second'
     WHERE batch_id = ${id} AND position = ${position}::integer AND failed IS NULL`;

export const putLineEnded = (
  db: Db,
  id: string,
  { position, failed, content }: { position: number; failed: boolean; content: string },
): Promise<number> =>
  db.$executeRaw`
    WITH line AS (
      UPDATE batch_line SET failed = ${failed}::boolean, content = ${content}
       WHERE batch_id = ${id} AND position = ${position}::integer AND failed IS NULL RETURNING failed
    )
    UPDATE batch b SET completed = b.completed + (NOT line.failed)::integer, failed = b.failed + line.failed::integer
      FROM line WHERE b.id = ${id}`;

export const putFinalizing = (
  db: Db,
  id: string,
  { outcome, errors }: { outcome: BatchOutcome; errors: readonly BatchError[] | null },
): Promise<number> =>
  db.$executeRaw`
    UPDATE batch SET state = 'finalizing', outcome = ${outcome}, finalizing_at = now(),
           errors = ${errors === null ? null : JSON.stringify(errors)}::jsonb
     WHERE id = ${id} AND state IN ('validating', 'in_progress')`;

export const findEnded = (
  db: Db,
  id: string,
  { after, failed, limit }: { after: number; failed: boolean; limit: number },
): Promise<{ position: number; content: string }[]> =>
  db.$queryRaw<{ position: number; content: string }[]>`
    SELECT position, content FROM batch_line
     WHERE batch_id = ${id} AND failed = ${failed}::boolean AND position > ${after}::integer
     ORDER BY position LIMIT ${limit}::integer`;

export const putEnded = (
  tx: Db,
  id: string,
  { outputFileId, errorFileId }: { outputFileId: string | null; errorFileId: string | null },
): Promise<number> =>
  tx.$executeRaw`
    UPDATE batch SET state = outcome, output_file_id = ${outputFileId}, error_file_id = ${errorFileId}, ended_at = now()
     WHERE id = ${id} AND state IN ('finalizing', 'cancelling')`;

export const deleteLines = (tx: Db, id: string): Promise<number> =>
  tx.$executeRaw`DELETE FROM batch_line WHERE batch_id = ${id}`;

export const deleteOver = (db: Db, days: number, maximum: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM batch WHERE id IN (
      SELECT id FROM batch WHERE ended_at < now() - ${days}::integer * interval '1 day' LIMIT ${maximum}::integer)`;
