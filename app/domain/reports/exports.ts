import { randomBytes } from "node:crypto";
import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { type Actor, authorOf } from "~/domain/identity/shared";
import { apiError } from "~/errors/app-error";
import {
  deleteOver,
  deleteSurplus,
  findExports,
  findPiece,
  insertExport,
  lockExportsOf,
  putCancelled,
} from "./export-store";
import { readReport } from "./reports";
import {
  EXPORT_KEPT_DAYS,
  type ExportFormat,
  MAX_EXPORTS_AT_ONCE,
  type ReportAsked,
  type ReportExport,
} from "./shared";

/** So many files of a person are kept. */
const MAX_FILES = 20;
/** The length of every piece but the last. */
export const PIECE_BYTES = 256 * 1024;

/** The id of an export to be: nobody can guess it. */
export const newExportId = (): string => `exp_${randomBytes(12).toString("hex")}`;

/**
 * Has a file of a report written by a job, of what the actor may see in the view they have chosen. Answers its id. In the audit log.
 * @throws AppError not_found for a report that the actor may not read; conflict while three exports of theirs are waiting
 */
export async function createExport(
  db: Db,
  actor: Actor,
  wanted: { reportId: number; asked: ReportAsked; format: ExportFormat },
): Promise<string> {
  const { name } = await readReport(db, actor, wanted.reportId);
  const id = newExportId();
  await inTransaction(db, async (tx) => {
    if ((await lockExportsOf(tx, actor.userId)) >= MAX_EXPORTS_AT_ONCE)
      throw apiError("conflict", { key: "rejections:exportsTooMany", values: { most: MAX_EXPORTS_AT_ONCE } });
    await deleteSurplus(tx, actor.userId, MAX_FILES - 1);
    if (!(await insertExport(tx, actor, { ...wanted, id, name, asOf: new Date() }))) throw apiError("not_found");
    await note(tx, actor, "create", { id, name, format: wanted.format });
  });
  return id;
}

/** An actor's own exports, newest first: those that wait, and those whose file is kept. */
export const listExports = (db: Db, actor: Actor): Promise<ReportExport[]> =>
  findExports(db, actor, { id: null, limit: MAX_FILES });

/** @throws AppError not_found, also for somebody else's export and for a file that has expired */
export async function readExport(db: Db, actor: Actor, id: string): Promise<ReportExport> {
  const [found] = await findExports(db, actor, { id, limit: 1 });
  if (found === undefined) throw apiError("not_found");
  return found;
}

/** Ends an export that waits or is under way, and drops what was written of it. In the audit log. @throws AppError not_found; conflict when it is over */
export async function cancelExport(db: Db, actor: Actor, id: string): Promise<void> {
  const { name, format } = await readExport(db, actor, id);
  await inTransaction(db, async (tx) => {
    if (!(await putCancelled(tx, id))) throw apiError("conflict", { key: "rejections:exportOver" });
    await note(tx, actor, "cancel", { id, name, format });
  });
}

/** An export whose file can be read. @throws AppError not_found as `readExport`; conflict while there is no file */
export async function openExport(db: Db, actor: Actor, id: string): Promise<ReportExport & { sha256: string }> {
  const found = await readExport(db, actor, id);
  if (found.status !== "done" || found.sha256 === null)
    throw apiError("conflict", { key: "rejections:exportNotReady" });
  return { ...found, sha256: found.sha256 };
}

/** The bytes of a file from one place to before another, piece by piece as they are taken. @throws where the file is gone meanwhile */
export async function* readFile(
  db: Db,
  id: string,
  { from, to }: { from: number; to: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = from; at < to; ) {
    const position = Math.floor(at / PIECE_BYTES);
    const piece = await findPiece(db, id, position);
    if (piece === null) throw new Error("the file of an export is gone");
    const start = position * PIECE_BYTES;
    const part = piece.subarray(at - start, Math.min(to - start, piece.length));
    if (part.length === 0) throw new Error("the file of an export is shorter than it should be");
    yield part;
    at += part.length;
  }
}

/** Deletes files that have expired and exports that came to nothing. A job; at most `maximum` at once. Returns how many. */
export const purgeExports = (db: Db, maximum: number): Promise<number> => deleteOver(db, maximum, EXPORT_KEPT_DAYS);

const note = (tx: Db, actor: Actor, event: "create" | "cancel", of: { id: string; name: string; format: string }) =>
  recordAuditEvent(tx, {
    by: authorOf(actor),
    action: `report_export.${event}`,
    target: { kind: "report_export", id: of.id, label: of.name },
    organisationId: actor.organisationId,
    after: { format: of.format },
  });
