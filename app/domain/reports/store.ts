import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { SavedReport, Visibility } from "./shared";

/** A reader of reports. */
export type Reader = { userId: number; organisationId: number; departmentId: number | null; managesShared: boolean };

const readableBy = ({ userId, organisationId, departmentId }: Reader) => Prisma.sql`(
  r.user_id = ${userId}::int
  OR (r.organisation_id = ${organisationId}::int AND (r.visibility = 'organisation'
      OR (r.visibility = 'department' AND r.department_id = ${departmentId}::int))))`;

const changeableBy = ({ userId, organisationId, managesShared }: Reader) => Prisma.sql`(
  r.user_id = ${userId}::int
  OR (${managesShared} AND r.organisation_id = ${organisationId}::int AND r.visibility <> 'private'))`;

export function findReports(
  db: Db,
  reader: Reader,
  which: { id: number | null; beforeId: number | null; limit: number },
): Promise<SavedReport[]> {
  return db.$queryRaw`
    SELECT r.id, r.name, r.question, r.visibility, r.version, coalesce(nullif(u.name, ''), u.email) AS owner,
           r.created_at AS "createdAt", r.updated_at AS "updatedAt", ${changeableBy(reader)} AS "canChange"
      FROM saved_report r JOIN app_user u ON u.id = r.user_id
     WHERE ${readableBy(reader)} AND (${which.id}::int IS NULL OR r.id = ${which.id}::int)
       AND (${which.beforeId}::int IS NULL OR r.id < ${which.beforeId}::int)
     ORDER BY r.id DESC LIMIT ${which.limit}::int`;
}

/** Locks a person, so that parallel requests wait. Returns the number of their reports. */
export async function lockReportsOf(tx: Db, userId: number): Promise<number> {
  await tx.$queryRaw`SELECT id FROM app_user WHERE id = ${userId}::int FOR NO KEY UPDATE`;
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM saved_report WHERE user_id = ${userId}::int`;
  return row?.count ?? 0;
}

/** Locks the owner of a report. */
export async function lockOwnerOf(tx: Db, id: number): Promise<void> {
  await tx.$queryRaw`
    SELECT u.id FROM saved_report r JOIN app_user u ON u.id = r.user_id WHERE r.id = ${id}::int FOR NO KEY UPDATE OF u`;
}

type NewRow = { name: string; question: string; visibility: Visibility };

/** Inserts a report and returns its id; null: the owner has one of this name. */
export async function insertReport(tx: Db, reader: Reader, row: NewRow): Promise<number | null> {
  const departmentId = row.visibility === "department" ? reader.departmentId : null;
  const [made] = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO saved_report (user_id, organisation_id, department_id, visibility, name, question)
    VALUES (${reader.userId}::int, ${reader.organisationId}::int, ${departmentId}::int, ${row.visibility}, ${row.name}, ${row.question})
    ON CONFLICT DO NOTHING RETURNING id`;
  return made?.id ?? null;
}

type LockedReport = { version: number; userId: number; name: string; visibility: Visibility };

/** Locks a report that the reader may change, until the transaction ends. */
export async function lockReport(tx: Db, reader: Reader, id: number): Promise<LockedReport | null> {
  const [row] = await tx.$queryRaw<LockedReport[]>`
    SELECT r.version, r.user_id AS "userId", r.name, r.visibility FROM saved_report r
     WHERE r.id = ${id}::int AND ${changeableBy(reader)} FOR NO KEY UPDATE`;
  return row ?? null;
}

export async function hasNamesake(tx: Db, report: { id: number; userId: number; name: string }): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM saved_report
     WHERE user_id = ${report.userId}::int AND lower(name) = lower(${report.name}) AND id <> ${report.id}::int`;
  return rows.length > 0;
}

export async function putName(tx: Db, id: number, name: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE saved_report SET name = ${name}, version = version + 1, updated_at = app_now() WHERE id = ${id}::int`;
}

export async function removeReport(tx: Db, id: number): Promise<void> {
  await tx.$executeRaw`DELETE FROM saved_report WHERE id = ${id}::int`;
}
