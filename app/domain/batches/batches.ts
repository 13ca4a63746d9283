import { randomBytes } from "node:crypto";
import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { lockOwner } from "~/domain/keys/index.server";
import type { KeyOwner } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";
import { seal, unseal } from "~/sealing/sealing.server";
import { TimeSlice } from "~/values/time-slice";
import type { Batch, BatchError, BatchLine, BatchOutcome, CheckedLine } from "./shared";
import * as store from "./store";

/** Maximum open batches per owner. */
const MAX_OPEN = 50;
/** Number of lines per write. */
const LINES_AT_ONCE = 1_000;

const placeOf = (batchId: string, position: number) => `batch_line:${batchId}:${position}:content`;

/**
 * Creates a batch; its file is checked later. Null: the owner has too many open batches.
 * @throws AppError not_found if the person or the organisation has been deleted
 */
export async function createBatch(
  db: Db,
  owner: KeyOwner,
  request: Pick<Batch, "keyId" | "endpoint" | "inputFileId" | "metadata" | "outputSeconds">,
): Promise<Batch | null> {
  return inTransaction(db, async (tx) => {
    if (!(await lockOwner(tx, owner))) throw apiError("not_found");
    if ((await store.countOpen(tx, owner)) >= MAX_OPEN) return null;
    return store.insertBatch(tx, owner, { ...request, id: `batch_${randomBytes(16).toString("hex")}` });
  });
}

/** Finds a batch by id; null if there is none, or if it belongs to another owner. */
export const findBatch = (db: Db, owner: KeyOwner, id: string): Promise<Batch | null> => store.findRow(db, owner, id);

/** Lists an owner's batches, newest first, after the named one; `hasMore`: there are more after these. */
export async function listBatches(
  db: Db,
  owner: KeyOwner,
  page: { after: string | null; limit: number },
): Promise<{ batches: Batch[]; hasMore: boolean }> {
  const rows = await store.findRows(db, owner, { ...page, limit: page.limit + 1 });
  return { batches: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}

/**
 * Cancels a batch: starts no more lines; those in progress finish. Null: no such batch.
 * @throws AppError conflict if it has ended
 */
export async function cancelBatch(db: Db, owner: KeyOwner, id: string): Promise<Batch | null> {
  const cancelled = await store.putCancelling(db, owner, id);
  const batch = cancelled ?? (await store.findRow(db, owner, id));
  if (batch !== null && cancelled === null && batch.state !== "cancelling")
    throw apiError("conflict", { key: "rejections:batchOver" });
  return batch;
}

/** Whether an open batch needs the file. */
export const isInputInUse = (db: Db, owner: KeyOwner, fileId: string): Promise<boolean> =>
  store.isInputInUse(db, owner, fileId);

/** Lists all open batches, oldest first, with their progress. */
export const openBatches = (db: Db): Promise<Batch[]> => store.findOpen(db);

/** Ends a batch whose file is invalid. Does nothing if it has been cancelled in the meantime. */
export const refuseBatch = (db: Db, id: string, errors: readonly BatchError[]): Promise<number> =>
  store.putRefused(db, id, errors);

/** Stores the lines of a checked batch, and starts it. Does nothing if it has been cancelled in the meantime. */
export function beginBatch(db: Db, id: string, lines: readonly CheckedLine[]): Promise<void> {
  return inTransaction(db, async (tx) => {
    if ((await store.putBegun(tx, id, lines.length)) === 0) return;
    for (let at = 0; at < lines.length; at += LINES_AT_ONCE)
      await store.insertLines(tx, id, lines.slice(at, at + LINES_AT_ONCE));
  });
}

/** Lists lines that may be started as calls, except those in `except`. */
export const dueLines = (
  db: Db,
  id: string,
  { except, limit }: { except: readonly number[]; limit: number },
): Promise<BatchLine[]> => store.findDue(db, id, { except, limit });

/** Lists open lines after `after`. `begun`: only those for which a call may have been made. */
export const openLines = (
  db: Db,
  id: string,
  page: { after: number; limit: number; begun: boolean },
): Promise<BatchLine[]> => store.findOpenLines(db, id, page);

/**
 * Marks a line as started, before its call. False: it has ended, or its batch starts no more lines. No line starts
 * after the end of the batch's day, so every attempt is within the time for which the answer of an earlier attempt is
 * kept.
 */
export const beginLine = async (db: Db, id: string, position: number): Promise<boolean> =>
  (await store.putLineBegun(db, id, position)) > 0;

/** Clears the start of a line for which no call was made. */
export const clearBegun = async (db: Db, id: string, position: number): Promise<void> => {
  await store.clearLineBegun(db, id, position);
};

/** Takes back an attempt that gave no result for the line, while the batch waits. */
export const refundLineAttempt = async (db: Db, id: string, position: number): Promise<void> => {
  await store.putTryBack(db, id, position);
};

/** Schedules another attempt for a line. */
export const postponeLine = async (
  db: Db,
  id: string,
  { position, seconds }: { position: number; seconds: number },
) => {
  await store.putLineLater(db, id, { position, seconds });
};

/** Stores the result of a line, once: `content` is its line of the output or error file. Safe to repeat. */
export const endLine = async (
  db: Db,
  id: string,
  { position, failed, content }: { position: number; failed: boolean; content: string },
): Promise<void> => {
  await store.putLineEnded(db, id, { position, failed, content: seal(content, placeOf(id, position)) });
};

/** Stops a batch: starts no more lines, and stores its outcome. False: it has been stopped already. */
export const stopBatch = async (
  db: Db,
  id: string,
  { outcome, errors }: { outcome: BatchOutcome; errors: readonly BatchError[] | null },
): Promise<boolean> => (await store.putFinalizing(db, id, { outcome, errors })) > 0;

const ROWS_AT_ONCE = 20;

/** Yields the lines of the output file, or of the error file, in the order of the input. */
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

/** Ends a batch with its files, and deletes its lines. False: it has ended, or was deleted. */
export async function endBatch(
  tx: Db,
  id: string,
  files: { outputFileId: string | null; errorFileId: string | null },
): Promise<boolean> {
  if ((await store.putEnded(tx, id, files)) === 0) return false;
  await store.deleteLines(tx, id);
  return true;
}

/** Deletes at most `maximum` batches that ended more than `days` days ago. Returns their number. */
export const purgeBatches = (db: Db, days: number, maximum: number): Promise<number> =>
  store.deleteOver(db, days, maximum);
