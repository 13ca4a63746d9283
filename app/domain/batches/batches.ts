import { randomBytes } from "node:crypto";
import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { lockOwner } from "~/domain/keys/index.server";
import type { KeyOwner } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";
import { seal, unseal } from "~/sealing.server";
import { TimeSlice } from "~/time-slice";
import type { Batch, BatchError, BatchLine, BatchOutcome, CheckedLine } from "./shared";
import * as store from "./store";

/** So many batches of one owner may be under way. */
const MAX_OPEN = 50;
/** So many lines are written at once. */
const LINES_AT_ONCE = 1_000;

const placeOf = (batchId: string, position: number) => `batch_line:${batchId}:${position}:content`;

/**
 * Takes a batch; its file is checked later. Null: too many of the owner's are under way.
 * @throws AppError not_found where person or organisation are gone
 */
export async function createBatch(
  db: Db,
  owner: KeyOwner,
  asked: Pick<Batch, "keyId" | "endpoint" | "inputFileId" | "metadata" | "outputSeconds">,
): Promise<Batch | null> {
  return inTransaction(db, async (tx) => {
    if (!(await lockOwner(tx, owner))) throw apiError("not_found");
    if ((await store.countOpen(tx, owner)) >= MAX_OPEN) return null;
    return store.insertBatch(tx, owner, { ...asked, id: `batch_${randomBytes(16).toString("hex")}` });
  });
}

/** A batch by its id; null for one that is not there, which another owner's never is. */
export const findBatch = (db: Db, owner: KeyOwner, id: string): Promise<Batch | null> => store.findRow(db, owner, id);

/** An owner's batches, the newest first, behind the one named; `hasMore`: there are some behind these. */
export async function listBatches(
  db: Db,
  owner: KeyOwner,
  page: { after: string | null; limit: number },
): Promise<{ batches: Batch[]; hasMore: boolean }> {
  const rows = await store.findRows(db, owner, { ...page, limit: page.limit + 1 });
  return { batches: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}

/** Begins no more lines of a batch; those under way are finished. Null: it is not there. @throws AppError conflict when it is over */
export async function cancelBatch(db: Db, owner: KeyOwner, id: string): Promise<Batch | null> {
  const cancelled = await store.putCancelling(db, owner, id);
  const batch = cancelled ?? (await store.findRow(db, owner, id));
  if (batch !== null && cancelled === null && batch.state !== "cancelling")
    throw apiError("conflict", { key: "rejections:batchOver" });
  return batch;
}

/** Whether a batch that is not over needs the file. */
export const isInputInUse = (db: Db, owner: KeyOwner, fileId: string): Promise<boolean> =>
  store.isInputInUse(db, owner, fileId);

/** All batches that are not over, the oldest first, each as far as it is. */
export const openBatches = (db: Db): Promise<Batch[]> => store.findOpen(db);

/** Ends a batch whose file cannot be carried out. Nothing happens where it has been cancelled meanwhile. */
export const refuseBatch = (db: Db, id: string, errors: readonly BatchError[]): Promise<number> =>
  store.putRefused(db, id, errors);

/** Notes the lines of a batch whose file has been checked, and begins it. Nothing lasts where it has been cancelled meanwhile. */
export function beginBatch(db: Db, id: string, lines: readonly CheckedLine[]): Promise<void> {
  return inTransaction(db, async (tx) => {
    if ((await store.putBegun(tx, id, lines.length)) === 0) return;
    for (let at = 0; at < lines.length; at += LINES_AT_ONCE)
      await store.insertLines(tx, id, lines.slice(at, at + LINES_AT_ONCE));
  });
}

/** Lines that may be begun as calls, but not those in `except`. */
export const dueLines = (
  db: Db,
  id: string,
  { except, limit }: { except: readonly number[]; limit: number },
): Promise<BatchLine[]> => store.findDue(db, id, { except, limit });

/** Lines that have not ended, behind `after`. `begun`: only those for which a call may have been made. */
export const openLines = (
  db: Db,
  id: string,
  asked: { after: number; limit: number; begun: boolean },
): Promise<BatchLine[]> => store.findOpenLines(db, id, asked);

/**
 * Notes, before its call, that a line is begun. False: it has ended, or its batch begins no more lines. That none is begun behind the
 * end of the batch's day also keeps every try within the time for which the answer of an earlier one is kept.
 */
export const beginLine = async (db: Db, id: string, position: number): Promise<boolean> =>
  (await store.putLineBegun(db, id, position)) > 0;

/** No call was made for a line that was begun. */
export const clearBegun = async (db: Db, id: string, position: number): Promise<void> => {
  await store.clearLineBegun(db, id, position);
};

/** A try that says nothing about the line does not count: the batch waits, and the line with it. */
export const giveBackTry = async (db: Db, id: string, position: number): Promise<void> => {
  await store.putTryBack(db, id, position);
};

/** Tries a line again later. */
export const postponeLine = async (
  db: Db,
  id: string,
  { position, seconds }: { position: number; seconds: number },
) => {
  await store.putLineLater(db, id, { position, seconds });
};

/** Notes how a line ended, once: `content` is its line of the output or error file. Safe to repeat. */
export const endLine = async (
  db: Db,
  id: string,
  { position, failed, content }: { position: number; failed: boolean; content: string },
): Promise<void> => {
  await store.putLineEnded(db, id, { position, failed, content: seal(content, placeOf(id, position)) });
};

/** Begins no more lines of a batch, and notes what it ends in. False: it has been stopped already. */
export const stopBatch = async (
  db: Db,
  id: string,
  { outcome, errors }: { outcome: BatchOutcome; errors: readonly BatchError[] | null },
): Promise<boolean> => (await store.putFinalizing(db, id, { outcome, errors })) > 0;

const ROWS_AT_ONCE = 20;

/** The lines of the output file, or of the error file, in the order of the input. */
export async function* endedLines(db: Db, id: string, failed: boolean): AsyncGenerator<string, void, undefined> {
  const slice = new TimeSlice();
  for (let after = -1; ; ) {
    const rows = await store.findEnded(db, id, { after, failed, limit: ROWS_AT_ONCE });
    for (const { position, content } of rows) {
      if (slice.isOver) await slice.next();
      yield unseal(content, placeOf(id, position));
      after = position;
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** Ends a batch with its files, and forgets its lines. False: it is over, or gone. */
export async function endBatch(
  tx: Db,
  id: string,
  files: { outputFileId: string | null; errorFileId: string | null },
): Promise<boolean> {
  if ((await store.putEnded(tx, id, files)) === 0) return false;
  await store.deleteLines(tx, id);
  return true;
}

/** Deletes batches that ended so many days ago, `maximum` at most. Returns how many. */
export const purgeBatches = (db: Db, days: number, maximum: number): Promise<number> =>
  store.deleteOver(db, days, maximum);
