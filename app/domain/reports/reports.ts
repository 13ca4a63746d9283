import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { type Actor, atLeast, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import type { SavedReport, Visibility } from "./shared";
import {
  findReports,
  hasNamesake,
  insertReport,
  lockOwnerOf,
  lockReport,
  lockReportsOf,
  putName,
  type Reader,
  removeReport,
} from "./store";

const MAX_REPORTS = 500;
const NAME_TAKEN = { key: "rejections:reportNameTaken", param: "name" } as const;

/**
 * Returns the saved reports that an actor may read, newest first: their own, and those shared with their department or organisation. Only
 * the question is shared; the answer is computed for the reader.
 */
export async function listReports(
  db: Db,
  actor: Actor,
  page: { beforeId: number | null; limit: number },
): Promise<{ reports: SavedReport[]; nextBeforeId: number | null }> {
  const rows = await findReports(db, readerOf(actor), { id: null, beforeId: page.beforeId, limit: page.limit + 1 });
  const reports = rows.slice(0, page.limit);
  return { reports, nextBeforeId: rows.length > page.limit ? (reports.at(-1)?.id ?? null) : null };
}

/** @throws AppError not_found, also for a report that the actor may not read */
export async function readReport(db: Db, actor: Actor, id: number): Promise<SavedReport> {
  const [report] = await findReports(db, readerOf(actor), { id, beforeId: null, limit: 1 });
  if (report === undefined) throw apiError("not_found");
  return report;
}

/**
 * Saves a question under a name that is unique for the actor. Returns its id. Audited.
 * @throws AppError conflict for a name that the actor has used, or beyond 500 reports; invalid_request to share with a
 *   department without being in one
 */
export async function createReport(
  db: Db,
  actor: Actor,
  report: { name: string; question: string; visibility: Visibility },
): Promise<number> {
  if (report.visibility === "department" && actor.departmentId === null)
    throw apiError("invalid_request", { key: "rejections:reportNoDepartment", param: "visibility" });
  return inTransaction(db, async (tx) => {
    if ((await lockReportsOf(tx, actor.userId)) >= MAX_REPORTS)
      throw apiError("conflict", { key: "rejections:reportsTooMany", values: { most: MAX_REPORTS }, param: "name" });
    const id = await insertReport(tx, readerOf(actor), report);
    if (id === null) throw apiError("conflict", NAME_TAKEN);
    const { name, visibility } = report;
    await note(tx, actor, { event: "create", id, name, userId: actor.userId, after: { visibility } });
    return id;
  });
}

/**
 * Renames a report. Audited. `version`: the version that the actor has seen; null: any.
 * @throws AppError not_found; conflict for a name that its owner has used, or when the report has changed since
 */
export function renameReport(
  db: Db,
  actor: Actor,
  change: { id: number; name: string; version: number | null },
): Promise<void> {
  return inTransaction(db, async (tx) => {
    // Lock the owner first, in the same order as changes of people, to avoid deadlocks.
    await lockOwnerOf(tx, change.id);
    const report = await lockReport(tx, readerOf(actor), change.id);
    if (report === null) throw apiError("not_found");
    if (change.version !== null && change.version !== report.version)
      throw apiError("conflict", { key: "rejections:reportChanged", param: "version" });
    if (await hasNamesake(tx, { ...report, ...change })) throw apiError("conflict", NAME_TAKEN);
    await putName(tx, change.id, change.name);
    const { name: before, userId } = report;
    const { id, name } = change;
    await note(tx, actor, { event: "rename", id, name, userId, before: { name: before }, after: { name } });
  });
}

/** Deletes a report for all readers. Audited. @throws AppError not_found */
export function deleteReport(db: Db, actor: Actor, id: number): Promise<void> {
  return inTransaction(db, async (tx) => {
    const report = await lockReport(tx, readerOf(actor), id);
    if (report === null) throw apiError("not_found");
    await removeReport(tx, id);
    const { name, userId, visibility } = report;
    await note(tx, actor, { event: "delete", id, name, userId, before: { visibility } });
  });
}

/** Organisation admins manage the shared reports of their own organisation. */
const readerOf = ({ userId, organisationId, departmentId, role }: Actor): Reader => ({
  userId,
  organisationId,
  departmentId,
  managesShared: atLeast(role, "org_admin"),
});

type Noted = {
  event: "create" | "rename" | "delete";
  id: number;
  name: string;
  /** The owner's id. */
  userId: number;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

const note = (tx: Db, actor: Actor, { event, id, name, userId, before, after }: Noted): Promise<void> =>
  recordAuditEvent(tx, {
    by: authorOf(actor),
    action: `saved_report.${event}`,
    target: { kind: "saved_report", id, label: name },
    organisationId: actor.organisationId,
    subjectUserId: userId,
    before,
    after,
  });
