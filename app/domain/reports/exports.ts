import { randomBytes } from "node:crypto";
import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { type Actor, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
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
  type ReportExport,
  type ReportRequest,
} from "./shared";

/** Maximum files of a person. */
const MAX_FILES = 20;
/** Bytes of every piece except the last. */
export const PIECE_BYTES = 256 * 1024;

/** Creates the random id of an export. */
export const newExportId = (): string => `exp_${randomBytes(12).toString("hex")}`;

/**
 * Queues an export of a report, with the data that the actor may see in the chosen view. A job writes the file. Returns its id. Audited.
 * @throws AppError not_found for a report that the actor may not read; conflict while three exports of theirs are waiting
 */
export async function createExport(
  db: Db,
  actor: Actor,
  wanted: { reportId: number; asked: ReportRequest; format: ExportFormat },
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

/** Returns an actor's own exports, newest first: waiting ones and those with a file. */
export const listExports = (db: Db, actor: Actor): Promise<ReportExport[]> =>
  findExports(db, actor, { id: null, limit: MAX_FILES });

/** @throws AppError not_found, also for another person's export and for an expired file */
export async function readExport(db: Db, actor: Actor, id: string): Promise<ReportExport> {
  const [job] = await findExports(db, actor, { id, limit: 1 });
  if (job === undefined) throw apiError("not_found");
  return job;
}

/** Cancels a waiting or running export and deletes its pieces. Audited. @throws AppError not_found; conflict when it has ended */
export async function cancelExport(db: Db, actor: Actor, id: string): Promise<void> {
  const { name, format } = await readExport(db, actor, id);
  await inTransaction(db, async (tx) => {
    if (!(await putCancelled(tx, id))) throw apiError("conflict", { key: "rejections:exportOver" });
    await note(tx, actor, "cancel", { id, name, format });
  });
}

/** Returns a completed export. @throws AppError not_found as `readExport`; conflict while there is no file */
export async function openExport(db: Db, actor: Actor, id: string): Promise<ReportExport & { sha256: string }> {
  const job = await readExport(db, actor, id);
  if (job.status !== "done" || job.sha256 === null) throw apiError("conflict", { key: "rejections:exportNotReady" });
  return { ...job, sha256: job.sha256 };
}

/** Yields a byte range of a file piece by piece. @throws when the file is deleted meanwhile */
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

/** Deletes expired files and failed exports, at most `maximum`. A job. Returns the number. */
export const purgeExports = (db: Db, maximum: number): Promise<number> => deleteOver(db, maximum, EXPORT_KEPT_DAYS);

const note = (tx: Db, actor: Actor, event: "create" | "cancel", of: { id: string; name: string; format: string }) =>
  recordAuditEvent(tx, {
    by: authorOf(actor),
    action: `report_export.${event}`,
    target: { kind: "report_export", id: of.id, label: of.name },
    organisationId: actor.organisationId,
    after: { format: of.format },
  });
