import { db } from "~/connection/db.server";
import type { Batch } from "~/domain/batches/shared";
import { findFile } from "~/domain/files/index.server";

/** The files of a batch: results, failed lines and input. */
export const BATCH_FILES = ["output", "errors", "input"] as const;
export type BatchFile = (typeof BATCH_FILES)[number];

/** Returns the id of a file of that kind; null if the batch does not have it, or not yet. */
export const fileIdOf = (batch: Batch, file: BatchFile): string | null =>
  ({ output: batch.outputFileId, errors: batch.errorFileId, input: batch.inputFileId })[file];

export type BatchFileView = { file: BatchFile; id: string; kept: { bytes: number; until: Date } | null };

/** Returns the files of a batch; `kept` is null for a deleted file. */
export async function filesOf(batch: Batch): Promise<BatchFileView[]> {
  const files = BATCH_FILES.map(async (file): Promise<BatchFileView[]> => {
    const id = fileIdOf(batch, file);
    if (id === null) return [];
    const stored = await findFile(db(), batch, id);
    return [{ file, id, kept: stored && { bytes: stored.bytes, until: stored.expiresAt } }];
  });
  return (await Promise.all(files)).flat();
}
