import { type Db, sqlPool } from "~/connection/db.server";
import type { Viewpoint } from "~/domain/accounts/shared";
import { Prisma } from "~/generated/prisma/client";
import type { ExportFormat, ReportExport, ReportRequest } from "./shared";

const VIEW = Prisma.sql`
  e.id, e.report_id AS "reportId", e.name, e.format, e.status, e.percent, e.row_count AS rows, e.bytes, e.sha256, e.problem,
  e.created_at AS "createdAt", e.finished_at AS "finishedAt", e.expires_at AS "expiresAt"`;

/** Locks a person, so that parallel requests wait. Returns the number of their waiting and running exports. */
export async function lockExportsOf(tx: Db, userId: number): Promise<number> {
  await tx.$queryRaw`SELECT id FROM app_user WHERE id = ${userId}::int FOR NO KEY UPDATE`;
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM report_export WHERE user_id = ${userId}::int AND status IN ('queued', 'running') AND NOT scheduled`;
  return row?.count ?? 0;
}

export type NewExport = {
  id: string;
  reportId: number;
  name: string;
  asked: ReportRequest;
  asOf: Date;
  format: ExportFormat;
};

/** Inserts an export; false: the report was deleted meanwhile. */
export async function insertExport(tx: Db, actor: Viewpoint, row: NewExport): Promise<boolean> {
  const count = await tx.$executeRaw`
    INSERT INTO report_export (id, user_id, organisation_id, report_id, name, asked, as_of, admin_mode, admin_organisation_id, format)
    SELECT ${row.id}, ${actor.userId}::int, ${actor.organisationId}::int, r.id, ${row.name},
           ${JSON.stringify(row.asked)}::jsonb, ${row.asOf}::timestamptz, ${actor.adminMode}::boolean, ${actor.adminOrganisationId}::int,
           ${row.format}
      FROM saved_report r WHERE r.id = ${row.reportId}::int FOR KEY SHARE`;
  return count > 0;
}

/** Deletes a person's oldest files above a maximum number. */
export async function deleteSurplus(tx: Db, userId: number, limit: number): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM report_export WHERE id IN (
      SELECT id FROM report_export WHERE user_id = ${userId}::int AND status NOT IN ('queued', 'running')
       ORDER BY created_at DESC, id OFFSET ${limit}::int)`;
}

export function findExports(
  db: Db,
  actor: Pick<Viewpoint, "userId" | "organisationId">,
  which: { id: string | null; limit: number },
): Promise<ReportExport[]> {
  return db.$queryRaw`
    SELECT ${VIEW} FROM report_export e
     WHERE e.user_id = ${actor.userId}::int AND e.organisation_id = ${actor.organisationId}::int
       AND (${which.id}::text IS NULL OR e.id = ${which.id})
       AND (e.expires_at IS NULL OR e.expires_at > app_now())
     ORDER BY e.created_at DESC, e.id LIMIT ${which.limit}::int`;
}

/** Cancels a running or waiting export and deletes its pieces. False: it had already ended. */
export async function putCancelled(tx: Db, id: string): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE report_export SET status = 'cancelled', finished_at = app_now(), row_count = 0, bytes = 0 WHERE id = ${id} AND status IN ('queued', 'running')`;
  await tx.$executeRaw`
    DELETE FROM report_export_piece p USING report_export e WHERE p.export_id = ${id} AND e.id = p.export_id AND e.status = 'cancelled'`;
  return count > 0;
}

export async function findPiece(db: Db, id: string, position: number): Promise<Uint8Array | null> {
  const [row] = await db.$queryRaw<{ content: Uint8Array }[]>`
    SELECT content FROM report_export_piece WHERE export_id = ${id} AND position = ${position}::int`;
  return row?.content ?? null;
}

export type ClaimedExport = {
  id: string;
  attempt: number;
  asked: ReportRequest;
  asOf: Date;
  format: ExportFormat;
  /** The person's current access, in the view of their request; null: inactive, or moved to another organisation. */
  viewer: Viewpoint | null;
};

const MAX_ATTEMPTS = 5;

/**
 * Claims the export that has waited longest, or one whose last attempt was interrupted. Exports of people come before those of schedules.
 * Null: none is waiting.
 */
export async function claimExport(db: Db): Promise<ClaimedExport | null> {
  await db.$executeRaw`
    UPDATE report_export SET status = 'failed', problem = 'interrupted', finished_at = app_now()
     WHERE status IN ('queued', 'running') AND attempt >= ${MAX_ATTEMPTS}::int`;
  const [row] = await db.$queryRaw<(Omit<ClaimedExport, "viewer"> & Viewpoint & { present: boolean })[]>`
    WITH next AS (
      SELECT e.id FROM report_export e WHERE e.status IN ('queued', 'running')
       ORDER BY e.attempt, e.scheduled, e.created_at, e.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM report_export_piece p USING next WHERE p.export_id = next.id
    )
    UPDATE report_export e SET status = 'running', attempt = e.attempt + 1, started_at = app_now(), percent = 0, row_count = 0, bytes = 0
      FROM next, app_user u WHERE e.id = next.id AND u.id = e.user_id
    RETURNING e.id, e.attempt, e.asked, e.as_of AS "asOf", e.format, u.id AS "userId", u.role,
              u.organisation_id AS "organisationId", u.department_id AS "departmentId", e.admin_mode AS "adminMode",
              e.admin_organisation_id AS "adminOrganisationId",
              u.status = 'active' AND u.organisation_id = e.organisation_id AS present`;
  if (row === undefined) return null;
  const { id, attempt, asked, asOf, format, present, ...viewer } = row;
  return { id, attempt, asked, asOf, format, viewer: present ? viewer : null };
}

/** Identifies an attempt at an export. */
export type Attempt = Pick<ClaimedExport, "id" | "attempt">;

/**
 * Adds a piece and updates the progress. False: the export was cancelled, or another attempt has begun. Uses `pg`, which sends raw bytes;
 * Prisma would send them as a text of 1.5 times the size.
 */
export async function insertPiece(
  { id, attempt }: Attempt,
  piece: { position: number; content: Uint8Array; percent: number; rows: number },
): Promise<boolean> {
  const { rowCount } = await sqlPool().query(
    `WITH mine AS (
       UPDATE report_export SET percent = $3::int, row_count = $4::int, bytes = bytes + length($6::bytea)
        WHERE id = $1 AND attempt = $2::int AND status = 'running' RETURNING id
     )
     INSERT INTO report_export_piece (export_id, position, content) SELECT id, $5::int, $6::bytea FROM mine`,
    [id, attempt, piece.percent, piece.rows, piece.position, piece.content],
  );
  return (rowCount ?? 0) > 0;
}

/** Completes an attempt. False: as for `insertPiece`. */
export async function putDone(
  tx: Db,
  { id, attempt }: Attempt,
  file: { rows: number; sha256: string; keptDays: number },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE report_export SET status = 'done', percent = 100, row_count = ${file.rows}::int, sha256 = ${file.sha256},
           finished_at = app_now(), expires_at = app_now() + make_interval(days => ${file.keptDays}::int)
     WHERE id = ${id} AND attempt = ${attempt}::int AND status = 'running'`;
  return count > 0;
}

/** Fails an attempt and deletes its pieces. */
export async function putFailed(tx: Db, { id, attempt }: Attempt, problem: string): Promise<void> {
  const count = await tx.$executeRaw`
    UPDATE report_export SET status = 'failed', problem = ${problem}, finished_at = app_now(), row_count = 0, bytes = 0
     WHERE id = ${id} AND attempt = ${attempt}::int AND status = 'running'`;
  if (count > 0) await tx.$executeRaw`DELETE FROM report_export_piece WHERE export_id = ${id}`;
}

/** Whether this attempt is still the current one. */
export async function isWanted(db: Db, { id, attempt }: Attempt): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM report_export WHERE id = ${id} AND attempt = ${attempt}::int AND status = 'running'`;
  return rows.length > 0;
}

/** Deletes expired files, and failed or cancelled exports older than `days`. Returns the number. */
export const deleteOver = (db: Db, maximum: number, days: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM report_export WHERE id IN (
      SELECT id FROM report_export WHERE status NOT IN ('queued', 'running')
         AND (expires_at <= app_now() OR finished_at < app_now() - make_interval(days => ${days}::int))
       LIMIT ${maximum}::int)`;
